//! Every bound of the host, in one place, with its unit and its reason. The exchange layer has its own.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Rounds that one call may take.
pub const ROUNDS: u64 = 16;
/// First pause before a round that asks nothing is retried; each further one waits twice as long.
pub const PAUSE_FIRST: Duration = Duration::from_millis(250);
/// Longest pause between rounds that ask nothing.
pub const PAUSE_MAX: Duration = Duration::from_secs(5);
/// How long a legacy server is kept waiting for an answer before it gets an error. Several known servers give up at 30 s.
pub const LEGACY_ANSWER: Duration = Duration::from_secs(25);
/// How long the first call on a fresh legacy connection waits for the server to ask for roots on its own.
/// Known servers ask between 0 and 350 ms after `initialized` and answer calls wrongly until they were told.
pub const LEGACY_SETTLE: Duration = Duration::from_millis(450);
/// How long a legacy server has, after it was told its roots, to take them in before the first call is sent.
pub const LEGACY_GRACE: Duration = Duration::from_millis(150);
/// MiB of frames kept for one server where the person has not said otherwise, and what may be said.
pub const TRAFFIC: u32 = 16;
/// See [`TRAFFIC`]. All of it lies in memory, once for each server.
pub const TRAFFIC_SET: RangeInclusive<u32> = 1..=256;
/// A frame keeps this part of the ring at most; of a larger one the beginning is kept, so that it pushes out no others.
pub const FRAME_PART: usize = 16;
/// Bytes of one frame that are shown; all that is kept can be saved.
pub const FRAME_SHOWN: usize = 1024 * 1024;
/// How many frames before an answer its request is looked for.
pub const ANSWERED_WITHIN: u64 = 500;
/// Seconds that a server may be silent in a call where the person has not said otherwise: no answer and no progress.
pub const TIME_LIMIT: u32 = 300;
/// Seconds that a call may last in all, progress or not, where the person has not said otherwise.
pub const LONGEST_CALL: u32 = 3600;
/// Seconds that may be said for either: a day.
pub const TIME_LIMIT_SET: RangeInclusive<u32> = 1..=86_400;
/// Calls kept in the history where the person has not said otherwise.
pub const HISTORY: u32 = 1000;
/// Calls that may be kept in the history.
pub const HISTORY_SET: RangeInclusive<u32> = 1..=10_000;
/// Characters of a language tag.
pub const LANGUAGE_TAG: usize = 35;
/// Bytes of stderr kept for one server.
pub const STDERR: usize = 256 * 1024;
/// Stderr lines shown with a server's state.
pub const STDERR_SHOWN: usize = 60;
/// Ended calls kept for the list of calls.
pub const CALLS_KEPT: usize = 100;
/// Bytes of what is said of ended calls' results, kept for a page that asks again.
pub const ENDS: usize = 32 * 1024 * 1024;
/// Bytes of results kept whole, with what is read from them: pieces are pulled from there, copied and saved.
pub const RESULTS: usize = 192 * 1024 * 1024;
/// Bytes of one text that are handed to a page with the description of a result; the rest is pulled.
pub const INLINE: usize = 64 * 1024;
/// Bytes of all texts together that are handed over so; when they are used up, beginnings of [`INLINE_LEAST`] follow.
pub const INLINE_ALL: usize = 512 * 1024;
/// Bytes of a text that are handed over in any case.
pub const INLINE_LEAST: usize = 1024;
/// Blocks of a result, or messages of a prompt, that are handed over at a time.
pub const BLOCKS: usize = 100;
/// Rows, lines or children that one pull gives at most.
pub const PULLED: usize = 1000;
/// Bytes of a text that can be copied; a larger one is saved.
pub const COPIED: usize = 16 * 1024 * 1024;
/// Characters of a value in a tree.
pub const BRIEF: usize = 200;
/// Characters of a cell in a table.
pub const CELL: usize = 120;
/// Bytes of an object or array whose children are counted before it is opened.
pub const COUNTED: usize = 20_000;
/// Columns of a table.
pub const TABLE_COLUMNS: usize = 200;
/// Rows of a table that can be sorted.
pub const SORTED_ROWS: usize = 1_000_000;
/// Open questions; a further one is refused.
pub const QUESTIONS: usize = 200;
/// Open questions of one server; a further one is refused, so that one server can't crowd out the others.
pub const QUESTIONS_PER_SERVER: usize = 24;
/// How long a yes that came after a legacy server had stopped waiting is good for.
pub const LATE_ANSWER: Duration = Duration::from_secs(300);
/// How often a server that asks for what was not offered gets a row of the record; what it asks in between is counted.
pub const NOT_OFFERED_EVERY: Duration = Duration::from_secs(60);
/// Characters of a call's arguments shown in a question.
pub const WHY_ARGS: usize = 1200;
/// Characters of a name or another one-line text of a server's.
pub const LINE: usize = 300;
/// Characters of a description or message of a server's.
pub const PARAGRAPH: usize = 8_000;
/// Bytes of `servers.json`; a larger file is not read.
pub const SERVERS_FILE: u64 = 4 * 1024 * 1024;
/// How long after a write to the database the other processes are told, so that a burst is one ring.
pub const BELL: Duration = Duration::from_millis(30);
/// How long a file watcher waits for more changes before it reads.
pub const WATCH_QUIET: Duration = Duration::from_millis(120);
/// Shortest time between two announcements of changed lists that are passed on for one server.
pub const LISTS_PACE: Duration = Duration::from_millis(500);
/// How long a call runs before it is noted in the database as under way; shorter ones leave no trace there.
pub const JOURNAL_AFTER: Duration = Duration::from_millis(100);
/// Bytes of one result kept in the history; of a larger one the beginning is kept.
pub const HISTORY_RESULT: usize = 4 * 1024 * 1024;
/// Bytes of one call's arguments kept in the history; of larger ones the beginning is kept.
pub const HISTORY_ARGS: usize = 1024 * 1024;
/// Bytes of what a server asked in one call, kept in the history.
pub const HISTORY_ASKED: usize = 256 * 1024;
/// Bytes of all texts of the history; the oldest calls go first.
pub const HISTORY_BYTES: u64 = 256 * 1024 * 1024;
/// Bytes of ended calls that may wait to be written; a result beyond that is not kept.
pub const HISTORY_QUEUE: usize = 128 * 1024 * 1024;
/// How long ended calls gather before they are written: many short calls are one write.
pub const HISTORY_AFTER: Duration = Duration::from_millis(200);
/// How long a quit waits for calls to end whose servers were stopped.
pub const QUIT_CALLS: Duration = Duration::from_millis(500);
/// Arguments of one tool or prompt that are offered again.
pub const HISTORY_RECENT: usize = 10;
/// Bytes of arguments that are offered again.
pub const HISTORY_RECENT_BYTES: usize = 200_000;
/// Bytes of a server's schema that is used for checks; a larger one is not.
pub const SCHEMA_BYTES: usize = 1024 * 1024;
/// Bytes of a value that is checked against a schema.
pub const CHECKED_BYTES: usize = 16 * 1024 * 1024;
/// Nodes that a schema may stand for with its references followed.
pub const SCHEMA_COST: u64 = 200_000;
/// Bytes of one compiled pattern of a schema.
pub const PATTERN_BYTES: usize = 4 * 1024 * 1024;
/// How long one check against a schema may take.
pub const SCHEMA_TIME: Duration = Duration::from_secs(1);
/// Bytes of stack of a checking thread; schemas and values nest at most 128 levels.
pub const SCHEMA_STACK: usize = 16 * 1024 * 1024;
/// Faults of one check that are shown.
pub const SCHEMA_FAULTS: usize = 50;
/// Longest template and longest address made from one, in bytes.
pub const ADDRESS: usize = 16 * 1024;
/// Variables that one template may have; each is a field of a form.
pub const TEMPLATE_VARIABLES: usize = 50;
/// Bytes of one picture of a thing that a server offers; a larger one is not drawn.
pub const ICON: usize = 64 * 1024;
/// Longest address of such a picture that is named, in bytes.
pub const ICON_ADDRESS: usize = 2_000;
/// Width and height of such a picture, in pixels.
pub const ICON_PIXELS: usize = 1024;
/// Bytes of all pictures of one listing.
pub const ICONS: usize = 4 * 1024 * 1024;
/// How long a server has for one answer with suggestions; a later one is of no use to who types.
pub const SUGGEST: Duration = Duration::from_secs(10);
/// Characters of what is typed that are sent for suggestions.
pub const SUGGEST_TYPED: usize = 2_000;
/// Resources of one server that are watched at one time.
pub const WATCHED: usize = 64;
/// Bytes of what a tool says of itself that are kept to see whether it changes; of one that says more, nothing is kept.
pub const TOOL_SAID: usize = 256 * 1024;
/// Bytes of a model endpoint's answer that are read.
pub const MODEL_ANSWER: usize = 8 * 1024 * 1024;
/// Bytes of a model endpoint's error that are read.
pub const MODEL_ERROR: usize = 64 * 1024;
/// How long a connection to a model endpoint may take to come about.
pub const MODEL_CONNECT: Duration = Duration::from_secs(10);
/// Requests of one server that go to the model endpoint unasked within [`MODEL_PACE_TIME`]; a further one is a question again.
pub const MODEL_PACE: usize = 20;
/// See [`MODEL_PACE`].
pub const MODEL_PACE_TIME: Duration = Duration::from_secs(60);
/// Characters of one text of a model request that are shown to be changed; a longer one is cut and can be kept or left out.
pub const SAMPLE_TEXT: usize = 64 * 1024;
/// Characters of a model request as it stood that are shown.
pub const SAMPLE_EXACT: usize = 256 * 1024;
/// Bytes of an answer to a model request.
pub const SAMPLE_ANSWER: usize = 4 * 1024 * 1024;
/// How long a legacy server is kept waiting for a model's answer. A person reads and a model writes, so [`LEGACY_ANSWER`]
/// would cut off most; a server that waits less says so, and a late answer fits no later request. This is for those that
/// would wait for ever.
pub const LEGACY_SAMPLE: Duration = Duration::from_secs(600);
/// Bytes of a result that are looked at where they came; more take long enough for a thread of their own.
pub const RESULT_AT_ONCE: usize = 64 * 1024;
