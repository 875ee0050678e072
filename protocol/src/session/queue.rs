//! Commands that wait for the end of a job, in order. Whoever sends faster than we can search makes it long, so
//! every question is answered without a walk through all of it.

use std::collections::VecDeque;

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
    commands: VecDeque<C>,
    /// How many of them are jobs.
    jobs: usize,
}

impl<C> Default for Queue<C> {
    fn default() -> Self {
        Queue { commands: VecDeque::new(), jobs: 0 }
    }
}

impl<C: Waiting> Queue<C> {
    /// Puts a command behind all others.
    pub fn push(&mut self, command: C) {
        self.jobs += usize::from(command.is_job());
        self.commands.push_back(command);
    }

    /// The command whose turn it is.
    pub fn pop(&mut self) -> Option<C> {
        let command = self.commands.pop_front()?;
        self.jobs -= usize::from(command.is_job());
        Some(command)
    }

    /// Whether a job waits.
    pub fn has_job(&self) -> bool {
        self.jobs > 0
    }

    /// Takes out what is meant for the job that has just begun: the hints before the next job.
    pub fn take_hints(&mut self) -> Vec<C> {
        let next = self.commands.iter().position(C::is_job).unwrap_or(self.commands.len());
        let (hints, rest): (Vec<_>, Vec<_>) = self.commands.drain(..next).partition(C::is_hint);
        rest.into_iter().rev().for_each(|command| self.commands.push_front(command));
        hints
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
            queue.push(Command::read(line).unwrap().unwrap());
        }
        queue
    }

    #[test]
    fn hints_are_for_the_job_before_them() {
        let mut queue = queue(&["setoption name Hash value 1", "stop", "ponderhit", "go", "stop"]);
        assert!(queue.has_job());
        assert_eq!(queue.take_hints(), [Command::Stop, Command::PonderHit]);
        assert!(matches!(queue.pop(), Some(Command::SetOption { .. })));
        assert!(matches!(queue.pop(), Some(Command::Go(_))));
        assert!(!queue.has_job());
        assert_eq!(queue.take_hints(), [Command::Stop]);
        assert_eq!(queue.pop(), None);
    }
}
