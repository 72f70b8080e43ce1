//! The weights, their file, and what they say of a position.
//!
//! A file is a header of 24 bytes (`enroque` and a version byte, hidden width and buckets as `u32`, FNV-1a
//! checksum of the rest as `u64`), then as little-endian `i16` the hidden weights by input, the hidden biases and the
//! output weights by bucket, own half first, then as `i32` the output biases. A narrower network than the program is
//! built for says the same with neurons added whose weights are zero. Then the handcrafted layer: numbers of its inputs and
//! neurons as `u32`, weights by input as `i16`, biases as `i32`, output weights by bucket as `i16`; a file of version 2
//! has none.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use once_cell::sync::Lazy;
use thiserror::Error;

use super::handcrafted::inputs::HANDCRAFTED_INPUTS;
use super::handcrafted::layer::{HANDCRAFTED_NEURONS, QD, QO};
use super::{
    HandcraftedInputs, HandcraftedLayer, INPUTS, L1, OUTPUT_BUCKETS, QA, QB, Row, SCALE, output_bucket, simd,
};

/// The weights of the network, quantised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// By input.
    pub feature_weights: Box<[Row; INPUTS]>,
    /// Where the hidden layer begins.
    pub feature_bias: Row,
    /// By bucket: of the half of the side to move, and of the other.
    pub output_weights: [[Row; 2]; OUTPUT_BUCKETS],
    /// By bucket, in units of 1 / ([`QA`] [`QB`]).
    pub output_bias: [i32; OUTPUT_BUCKETS],
    /// Behind the handcrafted inputs.
    pub handcrafted: HandcraftedLayer,
}

/// Why a file is no network for this program.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// A folder, a pipe, a device.
    #[error("not a regular file")]
    NoFile,
    /// It begins otherwise.
    #[error("not an Enroque network")]
    Magic,
    /// Of another version of the format.
    #[error(
        "a network of version {found}, this program reads versions {VERSION_WITHOUT_HANDCRAFTED} and {VERSION}"
    )]
    Version {
        /// The version.
        found: u8,
    },
    /// Of another shape.
    #[error(
        "a network with {hidden} hidden neurons and {buckets} outputs, this program is built for {L1} at most and \
         {OUTPUT_BUCKETS}"
    )]
    Shape {
        /// Its width.
        hidden: u32,
        buckets: u32,
    },
    /// Of another handcrafted layer.
    #[error(
        "a network with {neurons} neurons behind {inputs} handcrafted inputs, this program has {HANDCRAFTED_NEURONS} behind \
         {HANDCRAFTED_INPUTS}"
    )]
    HandcraftedShape {
        /// Its handcrafted inputs.
        inputs: u32,
        /// Their neurons.
        neurons: u32,
    },
    /// Too short or too long.
    #[error("{found} bytes long, expected {expected}")]
    Length {
        /// Its length.
        found: usize,
        /// What its shape asks for.
        expected: usize,
    },
    /// Damaged.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
}

const MAGIC: &[u8; 7] = b"enroque";
const VERSION: u8 = 3;
/// Without a handcrafted layer.
const VERSION_WITHOUT_HANDCRAFTED: u8 = 2;
const HEADER_SIZE: usize = 24;
/// No network is longer, of whatever shape.
const LONGEST_FILE: u64 = 1 << 30;

/// Bytes of a handcrafted layer.
const HANDCRAFTED_SIZE: usize = 8
    + 2 * HANDCRAFTED_INPUTS * HANDCRAFTED_NEURONS
    + 4 * HANDCRAFTED_NEURONS
    + 2 * OUTPUT_BUCKETS * HANDCRAFTED_NEURONS;

/// Bytes behind the header of a network of a version with so many hidden neurons.
const fn payload_size(version: u8, hidden: usize) -> usize {
    let handcrafted = if version == VERSION_WITHOUT_HANDCRAFTED { 0 } else { HANDCRAFTED_SIZE };
    2 * hidden * (INPUTS + 1 + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS + handcrafted
}

/// The header's number at `at`.
const fn word(header: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}

/// `true` for the hidden width of a network that the program has room for.
const fn fits(hidden: u32) -> bool {
    0 < hidden && hidden as usize <= L1
}

/// The network that the program was built with.
static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| match Network::from_bytes(EMBEDDED_FILE) {
    Ok(network) => Arc::new(network),
    Err(error) => panic!("the network that the program was built with: {error}"),
});

static EMBEDDED_FILE: &[u8] = include_bytes!(env!("ENROQUE_NETWORK"));

// A network of another shape stops the build, not the program.
const _: () = {
    let file: &[u8] = include_bytes!(env!("ENROQUE_NETWORK"));
    assert!(file.len() > HEADER_SIZE && fits(word(file, 8)), "the network is wider than the program");
    let size = HEADER_SIZE + payload_size(file[7], word(file, 8) as usize);
    assert!(file.len() == size, "the network file has another shape than the program");
};

impl Network {
    /// The network that the program was built with.
    pub fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    /// `true` when a file that begins like this may be a network.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// When the file cannot be read or is no network of this shape.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        // Type and length first: a pipe or a device may never end.
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(NetworkError::NoFile);
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(LONGEST_FILE).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// The network that a file's bytes hold.
    ///
    /// # Errors
    /// When they are no network of this shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let magic = bytes.get(..MAGIC.len()).ok_or(NetworkError::Magic)?;
        if magic != MAGIC {
            return Err(NetworkError::Magic);
        }
        let length_error = |version, hidden| NetworkError::Length {
            found: bytes.len(),
            expected: HEADER_SIZE + payload_size(version, hidden),
        };
        let Some((header, payload)) = bytes.split_first_chunk::<HEADER_SIZE>() else {
            return Err(length_error(VERSION, L1));
        };
        let version = header[7];
        if ![VERSION_WITHOUT_HANDCRAFTED, VERSION].contains(&version) {
            return Err(NetworkError::Version { found: version });
        }
        let (hidden, buckets) = (word(header, 8), word(header, 12));
        if !fits(hidden) || buckets as usize != OUTPUT_BUCKETS {
            return Err(NetworkError::Shape { hidden, buckets });
        }
        let hidden = hidden as usize;
        if payload.len() != payload_size(version, hidden) {
            return Err(length_error(version, hidden));
        }
        if checksum(payload) != u64::from(word(header, 16)) | u64::from(word(header, 20)) << 32 {
            return Err(NetworkError::Checksum);
        }
        let mut rest = payload;
        let mut take_row = || take_row(&mut rest, hidden);
        let feature_weights: Vec<Row> = (0..INPUTS).map(|_| take_row()).collect();
        let feature_weights = match feature_weights.into_boxed_slice().try_into() {
            Ok(rows) => rows,
            Err(_) => unreachable!("as many rows as inputs"),
        };
        let feature_bias = take_row();
        let output_weights = std::array::from_fn(|_| [take_row(), take_row()]);
        let output_bias = std::array::from_fn(|_| i32::from_le_bytes(take(&mut rest)));
        let handcrafted = if version == VERSION_WITHOUT_HANDCRAFTED {
            HandcraftedLayer::zero()
        } else {
            take_handcrafted(&mut rest)?
        };
        Ok(Self { feature_weights, feature_bias, output_weights, output_bias, handcrafted })
    }

    /// What a file has behind its header.
    fn payload(&self) -> Vec<u8> {
        let hidden = self.feature_weights.iter().chain([&self.feature_bias]);
        let rows = hidden.chain(self.output_weights.as_flattened());
        let biases = self.output_bias.iter().flat_map(|bias| bias.to_le_bytes());
        let sparse = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes).chain(biases);
        sparse.chain(handcrafted_payload(&self.handcrafted)).collect()
    }

    /// The bytes of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let payload = self.payload();
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend((L1 as u32).to_le_bytes());
        bytes.extend((OUTPUT_BUCKETS as u32).to_le_bytes());
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// What tells this network from others.
    pub fn checksum(&self) -> u64 {
        checksum(&self.payload())
    }

    /// Centipawns for the side to move, from both halves of the hidden layer, the handcrafted inputs and the number of pieces.
    #[inline]
    pub fn output(&self, own: &Row, other: &Row, handcrafted: &HandcraftedInputs, pieces: u32) -> i32 {
        let bucket = output_bucket(pieces);
        let sum = simd::forward(own, other, &self.output_weights[bucket]);
        scaled(sum, self.output_bias[bucket], self.handcrafted.output(handcrafted, bucket))
    }
}

/// A sum of half squares, which has a factor of [`QA`] too many, a bias and what the handcrafted layer adds, as centipawns.
#[inline]
pub fn scaled(sum: i32, bias: i32, handcrafted: i64) -> i32 {
    let handcrafted = handcrafted * i64::from(QA * QB) / i64::from(QD * QO);
    let output = 2 * i64::from(sum) / i64::from(QA) + i64::from(bias) + handcrafted;
    (output * i64::from(SCALE) / i64::from(QA * QB)) as i32
}

fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    match bytes.split_first_chunk::<N>() {
        Some((first, rest)) => {
            *bytes = rest;
            *first
        }
        None => unreachable!("the length was checked"),
    }
}

/// A row of so many weights, and zeros.
fn take_row(bytes: &mut &[u8], hidden: usize) -> Row {
    Row(std::array::from_fn(|neuron| if neuron < hidden { i16::from_le_bytes(take(bytes)) } else { 0 }))
}

/// The handcrafted layer as a file has it.
fn handcrafted_payload(handcrafted: &HandcraftedLayer) -> impl Iterator<Item = u8> + '_ {
    let shape = [HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS]
        .into_iter()
        .flat_map(|number| (number as u32).to_le_bytes());
    let weights = (0..HANDCRAFTED_INPUTS)
        .flat_map(move |input| (0..HANDCRAFTED_NEURONS).map(move |neuron| handcrafted.weight(input, neuron)));
    let biases = handcrafted.bias.iter().flat_map(|bias| bias.to_le_bytes());
    let outputs = handcrafted.output.iter().flatten().flat_map(|weight| weight.to_le_bytes());
    shape.chain(weights.flat_map(i16::to_le_bytes)).chain(biases).chain(outputs)
}

fn take_handcrafted(rest: &mut &[u8]) -> Result<HandcraftedLayer, NetworkError> {
    let [inputs, neurons] = std::array::from_fn(|_| u32::from_le_bytes(take(rest)));
    if (inputs as usize, neurons as usize) != (HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS) {
        return Err(NetworkError::HandcraftedShape { inputs, neurons });
    }
    let mut handcrafted = HandcraftedLayer::zero();
    for input in 0..HANDCRAFTED_INPUTS {
        for neuron in 0..HANDCRAFTED_NEURONS {
            *handcrafted.weight_mut(input, neuron) = i16::from_le_bytes(take(rest));
        }
    }
    handcrafted.bias = std::array::from_fn(|_| i32::from_le_bytes(take(rest)));
    handcrafted.output = std::array::from_fn(|_| std::array::from_fn(|_| i16::from_le_bytes(take(rest))));
    Ok(handcrafted)
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
pub fn checksum(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
