//! Commands that wait for the end of a job, in order. Whoever sends faster than we can search makes it long, so
//! every question is answered without a walk through all of it.

use std::collections::VecDeque;
use std::time::Instant;

/// The bytes of lines that may wait. No program sends as much in earnest, and what sends more has to wait itself.
pub const MOST_WAITING: usize = 1 << 20;

/// A command that may have to wait.
pub trait Waiting {
    /// Whether it starts something that takes time.
    fn is_job(&self) -> bool;
    /// Whether it is meant for the job that runs.
    fn is_hint(&self) -> bool;
}

/// What waits.
#[derive(Debug)]
pub struct Queue<C> {
    /// Each with the moment it was read and the length of its line.
    commands: VecDeque<(C, Instant, usize)>,
    /// How many of them are jobs.
    jobs: usize,
    /// How long their lines are.
    bytes: usize,
}

impl<C> Default for Queue<C> {
    fn default() -> Self {
        Queue { commands: VecDeque::new(), jobs: 0, bytes: 0 }
    }
}

impl<C: Waiting> Queue<C> {
    /// Puts a command behind all others.
    pub fn push(&mut self, command: C, read: Instant, bytes: usize) {
        self.jobs += usize::from(command.is_job());
        self.bytes += bytes;
        self.commands.push_back((command, read, bytes));
    }

    /// The command whose turn it is, and when it was read.
    pub fn pop(&mut self) -> Option<(C, Instant)> {
        let (command, read, bytes) = self.commands.pop_front()?;
        self.jobs -= usize::from(command.is_job());
        self.bytes -= bytes;
        Some((command, read))
    }

    /// Whether so much waits that nothing more should be read.
    pub fn is_full(&self) -> bool {
        self.bytes > MOST_WAITING
    }

    /// Whether a job waits.
    pub fn has_job(&self) -> bool {
        self.jobs > 0
    }

    /// Takes out what is meant for the job that has just begun: the hints before the next job.
    pub fn take_hints(&mut self) -> Vec<(C, Instant)> {
        let next = self.commands.iter().position(|(command, ..)| command.is_job());
        let next = next.unwrap_or(self.commands.len());
        let (hints, rest): (Vec<_>, Vec<_>) =
            self.commands.drain(..next).partition(|(command, ..)| command.is_hint());
        rest.into_iter().rev().for_each(|waiting| self.commands.push_front(waiting));
        self.bytes -= hints.iter().map(|(.., bytes)| bytes).sum::<usize>();
        hints.into_iter().map(|(command, read, _)| (command, read)).collect()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Queue::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Command;

    fn queue(lines: &[&str]) -> Queue<Command> {
        let mut queue = Queue::default();
        for line in lines {
            queue.push(Command::read(line).unwrap().unwrap(), Instant::now(), line.len());
        }
        queue
    }

    #[test]
    fn hints_are_for_the_job_before_them() {
        let mut queue = queue(&["setoption name Hash value 1", "stop", "ponderhit", "go", "stop"]);
        assert!(queue.has_job());
        let mut hints = || queue.take_hints().into_iter().map(|(hint, _)| hint).collect::<Vec<_>>();
        assert_eq!(hints(), [Command::Stop, Command::PonderHit]);
        assert!(matches!(queue.pop(), Some((Command::SetOption { .. }, _))));
        assert!(matches!(queue.pop(), Some((Command::Go(_), _))));
        assert!(!queue.has_job());
        assert!(matches!(queue.take_hints()[..], [(Command::Stop, _)]));
        assert!(queue.pop().is_none() && queue.bytes == 0);
    }
}
