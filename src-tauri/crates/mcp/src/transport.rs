//! How frames get to a server and back, behind two small traits. What a frame says is not read here.

pub mod process;
pub mod stdio;
