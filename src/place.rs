//! Where results will be written. Places are looked at before the work begins: what is found out afterwards costs the
//! work, or the file that lay there.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

/// Whether a file can be written there, as far as can be told without touching it; `name` is what users call it.
pub fn check(name: &str, path: &Path) -> Result<()> {
    ensure!(!path.is_dir(), "{name}: '{}' is a directory", path.display());
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    ensure!(parent.is_none_or(Path::is_dir), "{name}: '{}': no such directory", path.display());
    Ok(())
}

/// Writes a result.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
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

/// The path without detours; a file that is not there yet has no links to follow.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let twice = why(&[("--a", new), ("--b", Some(detour.as_path()))]);
        assert!(twice.ends_with("is also the file of --a"), "{twice}");
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
