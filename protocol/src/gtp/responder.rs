//! What a session asks of the engine it serves. The session knows lines and threads, the engine knows the game.

use search::Control;

use super::Command;

/// What an engine says to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<T> {
    /// The whole answer.
    Text(String),
    /// It must think first; the session hands the task to [`Responder::think`] on another thread.
    Think(T, Think),
}

/// How a command that takes time is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Think {
    /// One answer at the end.
    Quietly,
    /// One answer at the end, for which nobody waits who leaves: `quit` and the end of input stop it.
    UntilQuit,
    /// Lines on the way, and then the answer.
    Aloud,
    /// Lines on the way until any input arrives.
    UntilInput,
}

/// Something said while thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A line of the answer.
    Line(String),
    /// A line for the error stream, where GoGui listens for drawings.
    Aside(String),
}

/// An engine that answers commands about one game at a time.
pub trait Responder: Send {
    /// What it may have to think about.
    type Task: Send;
    /// Name and version.
    fn title(&self) -> (&'static str, &'static str);
    /// The commands it knows besides the session's own.
    fn commands(&self) -> Vec<&'static str>;
    /// Carries out a command that [`Responder::commands`] names; on an error nothing has changed.
    fn answer(&mut self, command: &Command) -> Result<Reply<Self::Task>, String>;
    /// Carries out a task of [`Reply::Think`].
    fn think(
        &mut self,
        task: Self::Task,
        control: &Control,
        say: &mut dyn FnMut(Remark),
    ) -> Result<String, String>;
    /// Whether it wants to think while nobody asks it to.
    fn ponders(&self) -> bool;
    /// Thinks until stopped.
    fn ponder(&mut self, control: &Control);
    /// The option that says where the session writes down what it hears and says; empty for nowhere.
    fn log_file(&mut self) -> &mut String;
}
