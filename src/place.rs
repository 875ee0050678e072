//! Where results are written. Places are looked at before the work begins: what is found out afterwards costs the work,
//! or the file that lay there. Files are replaced whole: neither a kill nor a power cut leaves half of one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::misuse::Asked;

/// Whether a file can be written there, as far as can be told without a trace; `name` is what users call it.
pub fn check(name: &str, path: &Path) -> Result<()> {
    writable(name, path).asked()
}

fn writable(name: &str, path: &Path) -> Result<()> {
    ensure!(!path.is_dir(), "{name}: '{}' is a directory", path.display());
    let folder = folder(path);
    ensure!(folder.is_dir(), "{name}: '{}': no such directory", path.display());
    let tried = match path.exists() {
        true if path.is_file() => OpenOptions::new().append(true).open(path).map(drop),
        // Whoever reads from a pipe would take this for the end.
        true => Ok(()),
        false => tempfile::tempfile_in(folder).map(drop),
    };
    tried.with_context(|| format!("{name}: cannot write '{}'", path.display()))
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a result.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    put(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file beside its place and moves it there; once this is done it survives a power cut, and before that the
/// old one does.
pub fn put(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    // A pipe or a device is written to, never replaced.
    if path.exists() && !path.is_file() {
        return fs::write(path, content);
    }
    // Who names a link means the file behind it.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    put_on(&mut Drive, &place, content.as_ref()).inspect_err(|_| {
        // What is left of the attempt only takes room; the error that matters is the first one.
        let _ = fs::remove_file(draft(&place));
    })
}

/// Opens a file to add to what it holds, or makes it. It has one writer at a time: two would write into each other's
/// lines.
pub fn open_alone(path: &Path) -> Result<File> {
    let failed = || format!("cannot write '{}'", path.display());
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).read(true).write(true).open(path).with_context(failed)?;
    // A device bears many writers; locks of Windows would keep readers away, too; and not every disk has any.
    let is_lockable = cfg!(unix) && file.metadata().with_context(failed)?.is_file();
    let is_taken = is_lockable && matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    ensure!(!is_taken, "'{}': another process is writing to it", path.display());
    Ok(file)
}

/// Whether files can be written to all places that are given, each to one of its own.
pub fn check_all(places: &[(&str, Option<&Path>)]) -> Result<()> {
    let given: Vec<(&str, &Path)> = places.iter().filter_map(|&(name, path)| Some((name, path?))).collect();
    for (number, &(name, path)) in given.iter().enumerate() {
        check(name, path)?;
        if let Some((other, _)) = given[..number].iter().find(|(_, other)| is_same(other, path)) {
            bail!("{name}: '{}' is also the file of {other}", path.display());
        }
    }
    Ok(())
}

/// Whether two paths lead to one file; a device such as `/dev/null` bears any number of writers.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let is_device = one.exists() && !one.is_file();
    !is_device && resolved(one) == resolved(other)
}

/// What can be done with a disk. What is not synced may be lost in a power cut, in any order.
trait Disk {
    fn write(&mut self, path: &Path, content: &[u8]) -> io::Result<()>;
    fn sync(&mut self, path: &Path) -> io::Result<()>;
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;
    fn sync_folder(&mut self, path: &Path) -> io::Result<()>;
}

/// The disk of this machine.
struct Drive;

impl Disk for Drive {
    fn write(&mut self, path: &Path, content: &[u8]) -> io::Result<()> {
        fs::write(path, content)
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        File::options().write(true).open(path)?.sync_all()
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&mut self, path: &Path) -> io::Result<()> {
        // Other systems cannot open a folder, and keep its entries by themselves.
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }
}

fn put_on(disk: &mut impl Disk, place: &Path, content: &[u8]) -> io::Result<()> {
    let draft = draft(place);
    disk.write(&draft, content)?;
    disk.sync(&draft)?;
    disk.rename(&draft, place)?;
    disk.sync_folder(folder(place))
}

/// Where a file is written before it takes its place.
fn draft(place: &Path) -> PathBuf {
    place.with_added_extension("part")
}

/// The path without detours; a file that is not there yet has no links to follow.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    type Files = HashMap<PathBuf, Vec<u8>>;

    /// A disk whose power is cut after so many steps.
    #[derive(Default)]
    struct Doomed {
        steps: usize,
        /// The contents that are sure, by the file's first name.
        sure: Files,
        /// What leads to a content, and what surely leads there.
        names: HashMap<PathBuf, PathBuf>,
        sure_names: HashMap<PathBuf, PathBuf>,
        unsure: Files,
    }

    impl Doomed {
        fn step(&mut self) -> io::Result<()> {
            self.steps = self.steps.checked_sub(1).ok_or(io::ErrorKind::Other)?;
            Ok(())
        }

        /// What a file may hold once there is power again: the latest name may have been kept before its content.
        fn found(&self, path: &Path) -> [Option<Vec<u8>>; 2] {
            [&self.names, &self.sure_names].map(|names| {
                let content = names.get(path)?;
                Some(self.sure.get(content).cloned().unwrap_or_default())
            })
        }
    }

    impl Disk for Doomed {
        fn write(&mut self, path: &Path, content: &[u8]) -> io::Result<()> {
            self.step()?;
            self.names.insert(path.to_owned(), path.to_owned());
            self.unsure.insert(path.to_owned(), content.to_owned());
            Ok(())
        }

        fn sync(&mut self, path: &Path) -> io::Result<()> {
            self.step()?;
            self.sure.extend(self.unsure.remove_entry(path));
            Ok(())
        }

        fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
            self.step()?;
            let content = self.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
            self.names.insert(to.to_owned(), content);
            Ok(())
        }

        fn sync_folder(&mut self, _: &Path) -> io::Result<()> {
            self.step()?;
            self.sure_names.clone_from(&self.names);
            Ok(())
        }
    }

    #[test]
    fn a_power_cut_leaves_the_old_file_or_the_new_one_and_never_takes_what_was_done() {
        let (place, old) = (PathBuf::from("games/abc.json"), PathBuf::from("old"));
        for steps in 0..9 {
            let names: HashMap<_, _> = [(place.clone(), old.clone())].into();
            let sure: Files = [(old.clone(), b"old".to_vec())].into();
            let mut disk = Doomed { steps, sure, sure_names: names.clone(), names, ..Doomed::default() };
            let done = put_on(&mut disk, &place, b"new").is_ok();
            for found in disk.found(&place) {
                let found = found.unwrap();
                assert!(found == b"new" || (!done && found == b"old"), "{steps} steps: {found:?}");
            }
        }
    }

    #[test]
    fn what_is_put_replaces_the_whole_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        put(&file, "first and long").unwrap();
        put(&file, "second").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Where a folder lies nothing can be written.
        fs::create_dir(draft(&file)).unwrap();
        assert!(put(&file, "third").is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "second");
    }

    #[test]
    fn places_that_will_not_do_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let [new, other, nowhere, detour] = ["new", "other", "no/such", "./new"].map(path);
        let [new, other] = [Some(new.as_path()), Some(other.as_path())];
        let why = |places: &[(&str, Option<&Path>)]| check_all(places).unwrap_err().to_string();
        assert!(check_all(&[("--a", new), ("--b", None), ("--c", other)]).is_ok());
        assert!(why(&[("--a", Some(nowhere.as_path()))]).ends_with("no such directory"));
        assert!(why(&[("--a", Some(folder.path()))]).ends_with("is a directory"));
        #[cfg(target_os = "linux")]
        assert!(why(&[("--a", Some(Path::new("/proc/new")))]).starts_with("--a: cannot write '/proc/new'"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a trace was left");
        let twice = why(&[("--a", new), ("--b", Some(detour.as_path()))]);
        assert!(twice.ends_with("is also the file of --a"), "{twice}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_one_writer_and_any_number_of_readers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, "old").unwrap();
        let first = open_alone(&path).unwrap();
        let why = open_alone(&path).unwrap_err().to_string();
        assert!(why.ends_with("log': another process is writing to it"), "{why}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(first);
        assert!(open_alone(&path).is_ok());
        let nowhere = [(); 2].map(|()| open_alone(Path::new("/dev/null")));
        assert!(nowhere.iter().all(Result::is_ok));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_their_file_and_devices_bear_many_writers() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(is_same(&file, &link));
        assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
    }
}
