//! Commands that wait for the end of a job, in order. Whoever sends faster than we can search makes it long, so
//! every question is answered without a walk through all of it.

use std::collections::VecDeque;

use super::command::Command;

/// What waits.
#[derive(Debug, Default)]
pub struct Queue {
    commands: VecDeque<Command>,
    /// How many of them are jobs.
    jobs: usize,
}

impl Queue {
    /// Puts a command behind all others.
    pub fn push(&mut self, command: Command) {
        self.jobs += usize::from(is_job(&command));
        self.commands.push_back(command);
    }

    /// The command whose turn it is.
    pub fn pop(&mut self) -> Option<Command> {
        let command = self.commands.pop_front()?;
        self.jobs -= usize::from(is_job(&command));
        Some(command)
    }

    /// Whether a job waits.
    pub fn has_job(&self) -> bool {
        self.jobs > 0
    }

    /// Takes out what is meant for the job that has just begun: `stop` and `ponderhit` before the next job.
    pub fn take_hints(&mut self) -> Vec<Command> {
        let next = self.commands.iter().position(is_job).unwrap_or(self.commands.len());
        let (hints, rest): (Vec<_>, Vec<_>) = self
            .commands
            .drain(..next)
            .partition(|command| matches!(command, Command::Stop | Command::PonderHit));
        rest.into_iter().rev().for_each(|command| self.commands.push_front(command));
        hints
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Queue::default();
    }
}

/// Whether the command starts something that takes time.
pub fn is_job(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Perft(_) | Command::Bench)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(lines: &[&str]) -> Queue {
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
