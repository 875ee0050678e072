//! Networks as files: lines of text that say what they are and where they come from, an empty line, the numbers, and a
//! checksum of everything before it.

use xxhash_rust::xxh3::xxh3_64;

use super::{Inputs, Network, OUTPUT_LIMIT, input_limit};

/// The first line.
const HEAD: &str = "quintet network 1";
/// The most hidden units of a side.
const MOST_HIDDEN: usize = 4096;

/// A file that is no network for these inputs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It does not begin like one.
    #[error("it is no network")]
    Foreign,
    /// It is of another kind.
    #[error("it is a network of '{found}', not of '{wanted}'")]
    Kind {
        /// What it says.
        found: String,
        /// What is needed.
        wanted: String,
    },
    /// A line of its text does not say what it should.
    #[error("'{0}' says nothing of the network's shape")]
    Shape(String),
    /// It is cut or padded.
    #[error("it has {found} bytes of numbers instead of {wanted}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        wanted: usize,
    },
    /// Some of its bytes are not those that were written.
    #[error("its checksum is wrong")]
    Checksum,
    /// A number that would overflow.
    #[error("its weight {0} is too large")]
    Weight(i16),
    /// Numbers whose sum would.
    #[error("the weights of its layer {0} are too large together")]
    Sum(usize),
}

/// The bytes of a file about these numbers: what kind of network it is, its shape, in one or more lines where it comes
/// from, and a checksum.
pub fn sealed(kind: &str, shape: &str, origin: &str, numbers: &[u8]) -> Vec<u8> {
    let mut text = format!("{HEAD}\n{kind}\n{shape}\n");
    // An empty line would end the text.
    origin.lines().filter(|line| !line.is_empty()).for_each(|line| text += &format!("{line}\n"));
    let mut bytes = (text + "\n").into_bytes();
    bytes.extend(numbers);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// A file whose text was read.
pub struct Opened<'a> {
    /// The line about its shape.
    pub shape: &'a str,
    bytes: &'a [u8],
    /// Where its numbers begin.
    start: usize,
}

impl<'a> Opened<'a> {
    /// Reads the text of a file, which must be of this kind.
    pub fn new(bytes: &'a [u8], kind: &str) -> Result<Self, FileError> {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or(FileError::Foreign)?;
        let text = str::from_utf8(&bytes[..end]).map_err(|_| FileError::Foreign)?;
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(FileError::Foreign);
        }
        let found = lines.next().unwrap_or_default();
        if found != kind {
            return Err(FileError::Kind { found: found.to_owned(), wanted: kind.to_owned() });
        }
        Ok(Opened { shape: lines.next().unwrap_or_default(), bytes, start: end + 2 })
    }

    /// Its shape is no shape.
    pub fn misshapen(&self) -> FileError {
        FileError::Shape(self.shape.to_owned())
    }

    /// Its numbers, which must be so many bytes and those that were written.
    pub fn numbers(&self, count: usize) -> Result<&'a [u8], FileError> {
        let (found, wanted) = (self.bytes.len() - self.start, count + 8);
        if found != wanted {
            return Err(FileError::Length { found, wanted });
        }
        let (whole, sum) = self.bytes.split_at(self.bytes.len() - 8);
        if sum != xxh3_64(whole).to_le_bytes() {
            return Err(FileError::Checksum);
        }
        Ok(&whole[self.start..])
    }
}

impl Network {
    /// The bytes of a file; `origin` says in one or more lines where the network comes from.
    pub fn write<I: Inputs>(&self, origin: &str) -> Vec<u8> {
        let Network { hidden, scale, .. } = self;
        let mut bytes = Vec::new();
        for numbers in [&self.inputs, &self.biases, &self.outputs] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.output_biases.iter().flat_map(|number| number.to_le_bytes()));
        sealed(&kind::<I>(), &format!("hidden {hidden} scale {scale}"), origin, &bytes)
    }

    /// Reads the bytes of a file.
    pub fn read<I: Inputs>(bytes: &[u8]) -> Result<Self, FileError> {
        let opened = Opened::new(bytes, &kind::<I>())?;
        let (hidden, scale) = shape(opened.shape).ok_or_else(|| opened.misshapen())?;
        let counts = [I::COUNT * hidden, hidden, I::BUCKETS * 2 * hidden];
        let mut rest = opened.numbers(2 * counts.iter().sum::<usize>() + 4 * I::BUCKETS)?;
        let [inputs, biases, outputs] = counts.map(|count| {
            let (numbers, others) = rest.split_at(2 * count);
            rest = others;
            numbers.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect::<Vec<i16>>()
        });
        let biases_of = rest.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let output_biases = biases_of.collect();
        within(&inputs, input_limit::<I>())?;
        within(&biases, input_limit::<I>())?;
        within(&outputs, OUTPUT_LIMIT)?;
        Ok(Network { hidden, scale, inputs, biases, outputs, output_biases })
    }
}

/// What the inputs are.
fn kind<I: Inputs>() -> String {
    format!("{}, {} inputs, {} output buckets", I::NAME, I::COUNT, I::BUCKETS)
}

fn shape(line: &str) -> Option<(usize, u16)> {
    let (hidden, scale) = line.strip_prefix("hidden ")?.split_once(" scale ")?;
    let hidden = hidden.parse().ok().filter(|hidden| (1..=MOST_HIDDEN).contains(hidden))?;
    Some((hidden, scale.parse().ok()?))
}

fn within(weights: &[i16], limit: i16) -> Result<(), FileError> {
    let found = weights.iter().find(|weight| weight.unsigned_abs() > limit.unsigned_abs());
    found.map_or(Ok(()), |&weight| Err(FileError::Weight(weight)))
}
