//! The real window under a virtual screen, driven through a real WebDriver: the main job as a person does it.
//!
//! What a server was told is read from the server's own log. Without a display every test here is skipped with a line.

mod desk;
mod webdriver;
mod window;

mod acts;
mod axe;
mod big;
mod consent;
mod crash;
mod fence;
mod history;
mod keys;
mod life;
mod names;
mod odd;
mod picker;
mod real;
mod sampling;
mod settings;
mod shelf_shots;
mod shelves;
mod shots;
