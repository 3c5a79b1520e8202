//! What the revision asks of a client and no other suite shows by itself: an end to everything that was begun, errors that
//! say what is missing, schemas and addresses that are never fetched, and forms as the person meets them. Which requirement
//! is held by which test stands in `docs/requirements.md`.

mod canary;

mod asked;
mod cancel;
mod changed;
mod hidden;
mod missing;
mod opaque;
mod schemas;
