//! Every bound of the exchange layer, in one place, with its unit and its reason. No logic.

use std::time::Duration;

/// Longest line read from a server, in bytes. A longer one fails the call it answers; the rest of the line is skipped unread.
pub const LINE: usize = 64 * 1024 * 1024;
/// How much of an overlong line is kept at its start and at its end, to find the id and to show, in bytes.
pub const LINE_KEPT: usize = 64 * 1024;
/// Longest stderr line kept whole, in bytes; a longer one is cut into pieces of this size.
pub const STDERR_LINE: usize = 16 * 1024;
/// Frames that may wait for the writer of one connection. When it is full, senders wait; a server that does not read stalls its own calls only.
pub const WRITE_QUEUE: usize = 256;
/// Events (notifications, server requests, violations) that may wait for the host on one connection; what overflows is counted and reported.
pub const EVENT_QUEUE: usize = 1024;
/// Requests of a legacy server that may be unanswered at one time; further ones are answered with an error at once.
pub const SERVER_REQUESTS: usize = 64;
/// Calls in flight on one connection.
pub const IN_FLIGHT: usize = 1024;
/// Pages that one listing follows.
pub const PAGES: usize = 1000;
/// Items that one listing keeps.
pub const LIST_ITEMS: usize = 100_000;
/// Bytes of all pages of one listing; what comes after them is left out.
pub const LIST_BYTES: usize = 128 * 1024 * 1024;
/// Time after which no further page of a listing is asked for.
pub const LIST_TIME: Duration = Duration::from_secs(120);
/// Input requests that one result may hold.
pub const INPUT_REQUESTS: usize = 32;
/// Changes that one subscription keeps until they are taken; the same change twice is one.
pub const CHANGES: usize = 1024;
/// Resources that one subscription may name.
pub const SUBSCRIBED: usize = 1024;
/// Ended subscriptions that are remembered, so that what was under way to them is not taken for a violation.
pub const SUBSCRIPTIONS_OVER: usize = 256;
/// Answers that the cache of one connection keeps.
pub const CACHED: usize = 1024;
/// How much the cache of one connection keeps, in bytes of answers.
pub const CACHED_BYTES: usize = 64 * 1024 * 1024;
/// Longest time that an answer counts as fresh, whatever its server says.
pub const FRESH: Duration = Duration::from_secs(24 * 3600);
/// Suggestions that are kept of one completion; the schema allows no more.
pub const COMPLETIONS: usize = 100;
/// Longest suggestion that is kept, in bytes.
pub const COMPLETION_LENGTH: usize = 16 * 1024;
/// Pictures that are kept of one thing.
pub const ICONS: usize = 16;
/// Messages that one model request may hold.
pub const SAMPLING_MESSAGES: usize = 1024;
/// Stop sequences that one model request may name.
pub const SAMPLING_STOPS: usize = 64;

/// How long the probe (`server/discover`) has the connection for itself before `initialize` is sent as well.
pub const PROBE: Duration = Duration::from_secs(5);
/// How long a server may take from its start to its first good answer. First runs of `npx` and `uvx` install packages.
pub const START: Duration = Duration::from_secs(300);
/// Time limit of a listing or another small request.
pub const LIST_LIMIT: Duration = Duration::from_secs(30);
/// Time without an answer or progress after which a call ends.
pub const CALL_IDLE: Duration = Duration::from_secs(300);
/// Time after which a round of a call ends, progress or not.
pub const CALL_MAX: Duration = Duration::from_secs(3600);

/// Stop ladder: how long a server has after its stdin was closed.
pub const STOP_CLOSE: Duration = Duration::from_secs(1);
/// Stop ladder: how long a server has after the terminate signal.
pub const STOP_TERM: Duration = Duration::from_secs(3);
/// Stop ladder: how long the process group may take to vanish after the kill signal before it is reported as left behind.
pub const STOP_KILL: Duration = Duration::from_secs(2);
/// Deepest nesting of arrays and objects in one frame.
pub const DEPTH: usize = 512;
/// Ids of cancelled requests that are remembered, so that their late answers are not taken for violations.
pub const CANCELLED: usize = 1024;
/// How long the output of an ended process may still be read, where another process holds its pipe open.
pub const DRAIN: Duration = Duration::from_millis(300);
