//! A child together with whatever it starts: set apart from us when it begins, and ended as a whole.
//!
//! On Unix a child leads a process group; only what has left the group on purpose lives on. Windows knows who was
//! started by whom, but not once the child has left by itself: then what it started lives on, as it does elsewhere.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How often a leaving child is looked at.
const GLANCE: Duration = Duration::from_millis(2);

/// A child and whatever it has started; all of it ends when this is dropped.
pub struct Family {
    child: Child,
    status: Option<ExitStatus>,
}

impl Family {
    /// Starts a child. Ctrl-C on our terminal does not reach it: it is meant for us, who end our children ourselves.
    pub fn start(command: &mut Command) -> io::Result<Family> {
        set_apart(command);
        Ok(Family { child: command.spawn()?, status: None })
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits a while for the child to leave, then ends it, and whatever it started in either case. How it left, if it
    /// could be told.
    pub fn leave(&mut self, grace: Duration) -> Option<ExitStatus> {
        if self.status.is_none() {
            let deadline = Instant::now() + grace;
            while !has_left(&mut self.child) && Instant::now() < deadline {
                thread::sleep(GLANCE);
            }
            end(&mut self.child);
            self.status = self.child.wait().ok();
        }
        self.status
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        self.leave(Duration::ZERO);
    }
}

#[cfg(unix)]
fn set_apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(windows)]
fn set_apart(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn set_apart(_: &mut Command) {}

/// Whether it is over; until it is waited for, no other process can have its number.
#[cfg(unix)]
fn has_left(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let only_look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), only_look), Ok(None))
}

#[cfg(not(unix))]
fn has_left(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Ends all that still run; one that leaves by itself in this very moment cannot be ended any more.
fn end(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    #[cfg(windows)]
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &child.id().to_string()]).output();
    let _ = child.kill();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    /// A shell whose own child would hold its output open for a minute; how the shell left, once the output has ended.
    fn end_of(script: &str, grace: Duration) -> ExitStatus {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut family = Family::start(&mut command).unwrap();
        let mut output = BufReader::new(family.child().stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        let began = Instant::now();
        drop(family.child().stdin.take());
        let status = family.leave(grace).unwrap();
        output.read_to_end(&mut Vec::new()).unwrap();
        assert!(began.elapsed() < Duration::from_secs(50), "what it started lived on");
        assert_eq!(family.leave(grace), Some(status));
        status
    }

    #[test]
    fn what_a_child_has_started_ends_with_it() {
        let patient = Duration::from_secs(40);
        assert!(end_of("sleep 60 & echo begun; cat", patient).success());
        assert!(!end_of("sleep 60 & echo begun; wait", Duration::ZERO).success());
    }
}
