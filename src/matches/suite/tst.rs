//! Suites of GTP commands, as GNU Go and gogui-regress have them: a numbered command is a test, and the line
//! `#? [pattern]` after it says which answer is right. `[!pattern]` is right if it does not match; `*` after the
//! bracket says that the test is known to fail, `&` that its result does not count.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use protocol::Process;
use regex::Regex;

use crate::driver::player::FAREWELL;
use crate::driver::{Conversation, Patience, open_gtp};
use crate::matches::interrupt::Interrupt;
use crate::matches::plan::Contestant;
use crate::progress::say;
use crate::record;

/// How long one command may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// An engine and the file it is to go through.
pub struct Tests {
    engine: Contestant,
    steps: Vec<Step>,
}

/// One command of the file.
#[derive(Debug)]
struct Step {
    /// As written, without its number.
    command: String,
    test: Option<Test>,
}

/// What a right answer is.
#[derive(Debug)]
struct Test {
    number: String,
    pattern: Regex,
    /// As written between the brackets.
    wanted: String,
    negated: bool,
    known_to_fail: bool,
    counts: bool,
}

impl Test {
    fn passes(&self, answer: &str) -> bool {
        self.pattern.is_match(answer) != self.negated
    }
}

/// Reads a file; the engine will run in its folder, so that it finds the games named there.
pub fn prepare(path: &Path, engine: Contestant) -> Result<Tests> {
    let text = record::read_file(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let steps = read(&text).with_context(|| format!("'{}'", path.display()))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let dir = engine.dir.clone().or(Some(folder.to_owned()));
    Ok(Tests { engine: Contestant { dir, ..engine }, steps })
}

impl Tests {
    /// Goes through the file.
    pub fn run(self) -> Result<ExitCode> {
        let interrupt = Interrupt::default();
        let process = Process::start(&self.engine.launch(Some(interrupt.bell())))?;
        let mut engine = open_gtp(process, &self.engine.setup(&Patience::default()))?;
        let control = &self.engine.control;
        engine.set_time(control.base.as_ref(), control.move_time)?;
        let (mut passed, mut total, mut surprises) = (0, 0, 0);
        for step in &self.steps {
            let answer = engine
                .answer(&step.command, Instant::now() + PATIENCE)
                .with_context(|| format!("'{}': the engine", step.command))?;
            // A refusal is an answer, too; no pattern is likely to want it.
            let answer = answer.unwrap_or_else(|why| format!("? {why}"));
            let Some(test) = &step.test else { continue };
            let good = test.passes(&answer);
            say(&verdict(test, &step.command, &answer, good))?;
            if test.counts {
                passed += usize::from(good);
                total += 1;
                surprises += usize::from(good == test.known_to_fail);
            }
        }
        say(&format!("Solved {passed} of {total}, {surprises} not as expected\n"))?;
        engine.quit(FAREWELL);
        Ok(ExitCode::SUCCESS)
    }
}

fn verdict(test: &Test, command: &str, answer: &str, good: bool) -> String {
    let word = if good { "solved" } else { "failed" };
    let mut line = format!("{word}  {} {command}: {}", test.number, answer.replace('\n', " "));
    if !good {
        line += &format!(" (wanted {}{})", if test.negated { "not " } else { "" }, test.wanted);
    }
    match (test.counts, good, test.known_to_fail) {
        (false, _, _) => line += ", not counted",
        (_, true, true) => line += ", unexpectedly",
        (_, false, true) => line += ", as expected",
        _ => {}
    }
    line + "\n"
}

fn read(text: &str) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    // The number of the last command, as long as no pattern has come for it.
    let mut waiting: Option<(String, usize)> = None;
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        let at = || format!("line {number}");
        if let Some(wanted) = line.strip_prefix("#?") {
            let (name, _) =
                waiting.take().with_context(|| format!("line {number}: a pattern without a test"))?;
            let step = steps.last_mut().expect("a command waits for its pattern");
            step.test = Some(test(name, wanted.trim()).with_context(at)?);
            continue;
        }
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Some((name, line)) = waiting.take() {
            bail!("line {line}: test {name} has no pattern");
        }
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let (name, command) = line.split_at(digits);
        ensure!(!command.trim().is_empty(), "line {number}: a number without a command");
        steps.push(Step { command: command.trim().to_owned(), test: None });
        waiting = (digits > 0).then(|| (name.to_owned(), number));
    }
    if let Some((name, line)) = waiting {
        bail!("line {line}: test {name} has no pattern");
    }
    ensure!(steps.iter().any(|step| step.test.is_some()), "it contains no tests");
    Ok(steps)
}

/// Reads `[pattern]` with its signs.
fn test(number: String, text: &str) -> Result<Test> {
    let inside = text.strip_prefix('[').and_then(|text| text.rsplit_once(']'));
    let (inside, signs) = inside.with_context(|| format!("'{text}' is not [pattern]"))?;
    let signs = signs.split_whitespace().next().unwrap_or_default();
    ensure!(signs.chars().all(|sign| "*&".contains(sign)), "'{signs}' is neither * nor &");
    let wanted = inside.strip_prefix('!').unwrap_or(inside);
    let pattern = Regex::new(&format!("^(?:{wanted})$")).with_context(|| format!("'{wanted}'"))?;
    Ok(Test {
        number,
        pattern,
        wanted: wanted.to_owned(),
        negated: inside.starts_with('!'),
        known_to_fail: signs.contains('*'),
        counts: !signs.contains('&'),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_their_patterns_are_read() {
        let text = "# a suite\nboardsize 9\n\n10 reg_genmove b # why\n#? [C3|E5]*\n  clear_board\n20 reg_genmove w\n\
                    #? [!D4]&  \n30 final_score\n#?[W\\+[0-9.]+]\n";
        let steps = read(text).unwrap();
        let commands: Vec<&str> = steps.iter().map(|step| step.command.as_str()).collect();
        assert_eq!(commands, ["boardsize 9", "reg_genmove b", "clear_board", "reg_genmove w", "final_score"]);
        let tests: Vec<&Test> = steps.iter().filter_map(|step| step.test.as_ref()).collect();
        assert_eq!(tests.iter().map(|test| test.number.as_str()).collect::<Vec<_>>(), ["10", "20", "30"]);
        assert!(tests[0].passes("E5") && !tests[0].passes("E55") && !tests[0].passes("AC3"));
        assert!(tests[0].known_to_fail && tests[0].counts);
        assert!(tests[1].passes("E5") && !tests[1].passes("D4") && !tests[1].counts);
        assert!(tests[2].passes("W+6.5") && !tests[2].passes("B+6.5"));
    }

    #[test]
    fn bad_files_are_blamed_by_the_line() {
        let why = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert_eq!(why("10 name\nversion\n"), "line 1: test 10 has no pattern");
        assert_eq!(why("name\n#? [x]"), "line 2: a pattern without a test");
        assert_eq!(why("10 name\n#? x"), "line 2: 'x' is not [pattern]");
        assert_eq!(why("10 name\n#? [x]%"), "line 2: '%' is neither * nor &");
        assert!(why("10 name\n#? [(]").starts_with("line 2: '(': "));
        assert_eq!(why("name"), "it contains no tests");
    }

    #[test]
    fn verdicts_tell_surprises() {
        let of = |signs: &str, answer: &str| {
            let test = test("7".to_owned(), &format!("[A1]{signs}")).unwrap();
            verdict(&test, "reg_genmove b", answer, test.passes(answer))
        };
        assert_eq!(of("", "A1"), "solved  7 reg_genmove b: A1\n");
        assert_eq!(of("", "B1"), "failed  7 reg_genmove b: B1 (wanted A1)\n");
        assert_eq!(of("*", "A1"), "solved  7 reg_genmove b: A1, unexpectedly\n");
        assert_eq!(of("*", "B1"), "failed  7 reg_genmove b: B1 (wanted A1), as expected\n");
        assert_eq!(of("&", "A1"), "solved  7 reg_genmove b: A1, not counted\n");
    }
}
