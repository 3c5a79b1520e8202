//! The ends of started calls, kept for whoever asks, as often as they ask: a page that was reloaded finds its results again.
//! Bounded by count and by bytes; the oldest give way. What an end only describes is kept by `results`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use crate::bounds;
use crate::error::{HostError, Result};
use crate::view::{BlockView, CallEnd, ErrorView, ResultView};

type Kept = std::result::Result<Arc<CallEnd>, ErrorView>;

/// The kept ends.
#[derive(Debug, Default)]
pub(super) struct Ends(Mutex<BTreeMap<u64, watch::Receiver<Option<Kept>>>>);

/// Where one call's end is to be kept.
#[derive(Debug)]
pub(super) struct End {
    ends: Arc<Ends>,
    sender: watch::Sender<Option<Kept>>,
}

impl Ends {
    /// Makes the place for the end of a call.
    pub fn expect(ends: &Arc<Self>, call: u64) -> End {
        let (sender, receiver) = watch::channel(None);
        ends.lock().insert(call, receiver);
        End {
            ends: ends.clone(),
            sender,
        }
    }

    /// Waits for the end of a call.
    pub async fn of(&self, call: u64) -> Kept {
        let gone = || {
            HostError::NotFound {
                what: format!("kept result of call number {call}"),
            }
            .view()
        };
        let mut place = self.lock().get(&call).cloned().ok_or_else(gone)?;
        let end = place.wait_for(Option::is_some).await.map_err(|_| gone())?;
        end.clone().unwrap_or_else(|| Err(gone()))
    }

    fn make_room(&self) {
        let mut places = self.lock();
        let weight = |place: &watch::Receiver<Option<Kept>>| place.borrow().as_ref().map_or(0, weight);
        let mut bytes: usize = places.values().map(weight).sum();
        while places.len() > bounds::CALLS_KEPT || bytes > bounds::ENDS {
            let oldest = places
                .iter()
                .find(|(_, place)| place.borrow().is_some())
                .map(|(call, _)| *call);
            let Some(place) = oldest.and_then(|call| places.remove(&call)) else {
                break;
            };
            bytes -= weight(&place);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, watch::Receiver<Option<Kept>>>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl End {
    /// Keeps the end.
    pub fn keep(self, end: Result<CallEnd>) {
        self.sender
            .send_replace(Some(end.map(Arc::new).map_err(|error| error.view())));
        self.ends.make_room();
    }
}

/// About how many bytes an end takes: the texts that it says of its result.
fn weight(end: &Kept) -> usize {
    let block = |block: &BlockView| match block {
        BlockView::Text { text, .. } | BlockView::Unknown { text, .. } => text.len(),
        BlockView::Resource { text, .. } => text.as_ref().map_or(0, String::len),
        BlockView::Image { data, .. } | BlockView::Audio { data, .. } => data.len(),
        BlockView::Link { .. } => 0,
    };
    match end {
        Ok(end) => match &**end {
            CallEnd::Completed { result, .. } => match result {
                ResultView::Tool {
                    content,
                    structured,
                    raw,
                    ..
                } => content.iter().map(block).sum::<usize>() + structured.as_ref().map_or(0, String::len) + raw.len(),
                ResultView::Resource { content, raw, .. } => content.iter().map(block).sum::<usize>() + raw.len(),
                ResultView::Prompt { messages, raw, .. } => {
                    messages.iter().map(|message| block(&message.content)).sum::<usize>() + raw.len()
                }
            },
            CallEnd::Declined { message, .. } => message.len(),
        },
        Err(error) => error.message.len(),
    }
}
