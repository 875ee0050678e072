//! The page: its files, in the binary.

/// A file of the page.
#[derive(Debug)]
pub struct File {
    /// As links name it.
    pub name: &'static str,
    /// Its type on the network.
    pub kind: &'static str,
    /// Its content.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! files {
    ($($kind:ident: $($name:literal),*;)*) => {
        &[$($(File { name: $name, kind: $kind, text: include_str!(concat!("page/", $name)) }),*),*]
    };
}

/// All files; the first is what a visitor sees.
pub const FILES: &[File] = files! {
    HTML: "index.html";
    CSS: "style.css", "board.css";
    PICTURE: "icon.svg";
    SCRIPT: "main.js", "aids.js", "board.js", "choice.js", "connection.js", "controls.js", "dom.js", "files.js",
        "forms.js", "graph.js", "known.js", "moves.js", "pieces.js", "players.js", "setup.js", "sound.js", "start.js", "thinking.js";
};

/// The file of this name.
pub fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_weighs_less_than_300_kilobytes() {
        assert!(FILES.iter().map(|file| file.text.len()).sum::<usize>() < 300_000);
    }

    #[test]
    fn every_file_on_disk_is_served_and_every_link_leads_somewhere() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/page");
        for entry in std::fs::read_dir(directory).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(find(&name).is_some(), "{name} is not in the list");
        }
        for file in FILES {
            for part in file.text.split("from './").skip(1) {
                let name = part.split('\'').next().unwrap();
                assert!(find(name).is_some(), "{} imports {name}", file.name);
            }
        }
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        for file in FILES {
            let text = file.text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{}", file.name);
        }
    }
}
