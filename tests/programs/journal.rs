//! What was recorded and delivered, flush by flush, and a model that foretells it: a second, plain account of the order in which commit
//! points deliver and flush.

use std::collections::VecDeque;

use super::data::Door;

/// Something that happened at a commit point. All of it happens on the thread of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// The closure that was recorded right before a typed command ran.
    Recorded(Sent),
    /// A command reached whoever takes it.
    Delivered { number: u64, to: Door },
    /// A manager, or a command buffer, flushed.
    Flushed(Door),
}

/// A typed command that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) number: u64,
    /// The tick in which it is due, if that is later.
    pub(crate) due: Option<u64>,
    /// Whether it may be refused when it is merged: it names a pending entity, perhaps of somebody else.
    pub(crate) doubtful: bool,
    /// Whether it was recorded at a commit point, so that it waits for the next one.
    pub(crate) late: bool,
}

/// What happened in a tick, and what is to be delivered yet.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    words: Vec<Word>,
    next: VecDeque<Sent>,
    /// Ascending by tick, and then as they came.
    delayed: VecDeque<(u64, Sent)>,
    /// Whether every tick so far went well: after a failure the model knows nothing.
    trusted: bool,
}

impl Default for Journal {
    fn default() -> Self {
        Self { words: Vec::new(), next: VecDeque::new(), delayed: VecDeque::new(), trusted: true }
    }
}

impl Journal {
    pub(crate) fn say(&mut self, word: Word) {
        self.words.push(word);
    }

    /// Ends a tick: what happened in it, and how many commands of it had been delayed.
    ///
    /// # Panics
    ///
    /// If that is not what the pages say.
    pub(crate) fn settle(&mut self, tick: u64, went_well: bool, flushes: &[Door]) -> (Vec<Word>, usize) {
        let words = std::mem::take(&mut self.words);
        self.trusted &= went_well;
        if !self.trusted {
            return (words, 0);
        }
        let flushed: Vec<Door> =
            words.iter().filter_map(|word| if let Word::Flushed(door) = word { Some(*door) } else { None }).collect();
        assert_eq!(flushed, flushes, "who flushes, commit point by commit point");
        let delayed = self.foresee(tick, &words);
        self.check(&words);
        (words, delayed)
    }

    /// Puts what is due before what waits for the next commit point; how many that are.
    fn foresee(&mut self, tick: u64, words: &[Word]) -> usize {
        for word in words {
            let Word::Recorded(sent) = word else { continue };
            match sent.due {
                None => self.next.push_back(*sent),
                Some(tick) => {
                    let at = self.delayed.partition_point(|(due, _)| *due <= tick);
                    self.delayed.insert(at, (tick, *sent));
                }
            }
        }
        let due = self.delayed.partition_point(|(due, _)| *due <= tick);
        let ready: Vec<Sent> = self.delayed.drain(..due).map(|(_, sent)| sent).collect();
        ready.iter().rev().for_each(|sent| self.next.push_front(*sent));
        due
    }

    /// What was delivered is what waited, in order, and only what was recorded at a commit point still waits.
    fn check(&mut self, words: &[Word]) {
        for word in words {
            let Word::Delivered { number, .. } = word else { continue };
            loop {
                let expected = self.next.pop_front().expect("nothing is delivered that was not recorded");
                if expected.number == *number {
                    break;
                }
                assert!(expected.doubtful, "{number:x} was delivered before {expected:x?}");
            }
        }
        self.next.retain(|sent| !sent.doubtful || sent.late);
        let left = self.next.iter().find(|sent| !sent.late);
        assert_eq!(left, None, "what systems and the host sent is delivered within the tick");
    }
}
