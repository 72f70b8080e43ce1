//! The network's weights, their file format, and the output layer.
//!
//! A network file (version 4), all numbers little-endian:
//! - header of 24 bytes: `enroque`, version (`u8`), hidden width and output buckets (`u32`), FNV-1a checksum of the
//!   rest (`u64`);
//! - hidden weights by king bucket and input, hidden biases, output weights by bucket, own half first (`i16`);
//! - output biases (`i32`);
//! - handcrafted layer: its numbers of inputs and neurons (`u32`), weights by input (`i16`), biases (`i32`), output
//!   weights by bucket (`i16`).
//!
//! If a layer of the file has fewer neurons than ours, we pad it with neurons whose weights are zero. A file of version
//! 3 has hidden weights for one king bucket only, which we use for all buckets.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use once_cell::sync::Lazy;
use thiserror::Error;

use crate::chess::Color;
use crate::nnue::architecture::{
    BOARD_INPUTS, HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, INPUTS, L1, OUTPUT_BUCKETS, QA, QB, QD, QO, Row,
    SCALE, output_bucket,
};
use crate::nnue::handcrafted::HandcraftedLayer;
use crate::nnue::handcrafted::inputs::{InputComputation, Placement};
use crate::nnue::kernels::{Forward, HandcraftedForward};
use crate::simd::{self, Isa, Work};

/// A network's weights, quantised to integers in the units below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// Hidden weights by input, in units of 1 / [`QA`].
    pub feature_weights: Box<[Row; INPUTS]>,
    /// Hidden biases, in units of 1 / [`QA`].
    pub feature_bias: Row,
    /// Output weights by bucket, for the half of the side to move and for the opponent's, in units of 1 / [`QB`].
    pub output_weights: [[Row; 2]; OUTPUT_BUCKETS],
    /// Output biases by bucket, in units of 1 / ([`QA`] × [`QB`]).
    pub output_bias: [i32; OUTPUT_BUCKETS],
    pub handcrafted: HandcraftedLayer,
}

/// Why a network file cannot be used.
#[derive(Debug, Error)]
pub enum NetworkError {
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// The path leads to a folder, a pipe or a device.
    #[error("not a regular file")]
    NoFile,
    /// The file does not begin with `enroque`.
    #[error("not an Enroque network")]
    Magic,
    #[error("a network of version {found}, but this program reads versions 3 and {VERSION}")]
    Version { found: u8 },
    #[error(
        "a network with {hidden} hidden neurons and {buckets} outputs, but this program takes up to {L1} and \
         {OUTPUT_BUCKETS}"
    )]
    Shape { hidden: u32, buckets: u32 },
    #[error(
        "a network with {neurons} neurons behind {inputs} handcrafted inputs, but this program takes up to \
         {HANDCRAFTED_NEURONS} behind {HANDCRAFTED_INPUTS}"
    )]
    HandcraftedShape { inputs: u32, neurons: u32 },
    /// Lengths in bytes. The expected length follows from the sizes in the header.
    #[error("{found} bytes long, expected {expected}")]
    Length { found: usize, expected: usize },
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
}

const MAGIC: &[u8; 7] = b"enroque";
const VERSION: u8 = 4;
const HEADER_SIZE: usize = 24;
/// We read at most this many bytes, so that the wrong file cannot fill the memory.
const MAX_FILE_SIZE: u64 = 1 << 30;

/// The sizes of the layers in a network file.
#[derive(Clone, Copy)]
struct Shape {
    /// Inputs with weights of their own.
    inputs: usize,
    hidden: usize,
    handcrafted: usize,
}

impl Shape {
    const OURS: Self = Self { inputs: INPUTS, hidden: L1, handcrafted: HANDCRAFTED_NEURONS };

    /// Returns how many bytes lie between the header and the handcrafted layer, which begins with its own sizes.
    const fn handcrafted_offset(self) -> usize {
        2 * self.hidden * (self.inputs + 1 + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS
    }

    /// Returns how many bytes follow the header.
    const fn payload_size(self) -> usize {
        self.handcrafted_offset() + 8 + self.handcrafted * (2 * HANDCRAFTED_INPUTS + 4 + 2 * OUTPUT_BUCKETS)
    }
}

/// Returns how many inputs a network file of this version has weights for; `None` if we cannot read that version.
const fn inputs_of(version: u8) -> Option<usize> {
    match version {
        3 => Some(BOARD_INPUTS),
        VERSION => Some(INPUTS),
        _ => None,
    }
}

const fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Whether we can use a layer with this many neurons; we pad it to `most`.
const fn fits(neurons: u32, most: usize) -> bool {
    0 < neurons && neurons as usize <= most
}

#[expect(clippy::panic, reason = "a test loads the embedded network")]
static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| match Network::from_bytes(EMBEDDED_FILE) {
    Ok(network) => Arc::new(network),
    Err(error) => panic!("the embedded network: {error}"),
});

static EMBEDDED_FILE: &[u8] = include_bytes!(env!("ENROQUE_NETWORK"));

// We check the shape of the embedded network here, so that a wrong file breaks the build and not the first run.
const _: () = {
    let file: &[u8] = include_bytes!(env!("ENROQUE_NETWORK"));
    assert!(file.len() > HEADER_SIZE && fits(read_u32(file, 8), L1), "the network is wider than the program");
    let Some(inputs) = inputs_of(file[7]) else { panic!("the version of the network file is unknown") };
    let shape = Shape { inputs, hidden: read_u32(file, 8) as usize, ..Shape::OURS };
    let handcrafted = read_u32(file, HEADER_SIZE + shape.handcrafted_offset() + 4);
    assert!(fits(handcrafted, HANDCRAFTED_NEURONS), "the handcrafted layer is wider than the program's");
    let size = HEADER_SIZE + Shape { handcrafted: handcrafted as usize, ..shape }.payload_size();
    assert!(file.len() == size, "the sizes of the network file differ from the program's");
};

impl Network {
    /// Returns the network built into the program, which we parse on the first call.
    pub fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    /// Whether a file that begins with `bytes` looks like a network. Training refuses to overwrite any other file.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a network file, whose format is described at the top of this module.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a supported network.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        // A pipe or a device may never end, so we check the type before we read.
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(NetworkError::NoFile);
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(MAX_FILE_SIZE).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Parses the contents of a network file, and checks the sizes and the checksum.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a supported network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let magic = bytes.get(..MAGIC.len()).ok_or(NetworkError::Magic)?;
        if magic != MAGIC {
            return Err(NetworkError::Magic);
        }
        let length_error = |shape: Shape| NetworkError::Length {
            found: bytes.len(),
            expected: HEADER_SIZE + shape.payload_size(),
        };
        let Some((header, payload)) = bytes.split_first_chunk::<HEADER_SIZE>() else {
            return Err(length_error(Shape::OURS));
        };
        let Some(inputs) = inputs_of(header[7]) else {
            return Err(NetworkError::Version { found: header[7] });
        };
        let (hidden, buckets) = (read_u32(header, 8), read_u32(header, 12));
        if !fits(hidden, L1) || buckets as usize != OUTPUT_BUCKETS {
            return Err(NetworkError::Shape { hidden, buckets });
        }
        let hidden = hidden as usize;
        let shape = Shape { inputs, hidden, ..Shape::OURS };
        let Some(sizes) = payload.get(shape.handcrafted_offset()..).and_then(<[u8]>::first_chunk::<8>) else {
            return Err(length_error(shape));
        };
        let (handcrafted_inputs, neurons) = (read_u32(sizes, 0), read_u32(sizes, 4));
        if handcrafted_inputs as usize != HANDCRAFTED_INPUTS || !fits(neurons, HANDCRAFTED_NEURONS) {
            return Err(NetworkError::HandcraftedShape { inputs: handcrafted_inputs, neurons });
        }
        let shape = Shape { handcrafted: neurons as usize, ..shape };
        if payload.len() != shape.payload_size() {
            return Err(length_error(shape));
        }
        if checksum(payload) != u64::from(read_u32(header, 16)) | u64::from(read_u32(header, 20)) << 32 {
            return Err(NetworkError::Checksum);
        }
        let mut rest = payload;
        let mut take_row = || take_row(&mut rest, hidden);
        let buckets: Vec<Row> = (0..inputs).map(|_| take_row()).collect();
        let feature_weights: Vec<Row> = buckets.into_iter().cycle().take(INPUTS).collect();
        let feature_weights = match feature_weights.into_boxed_slice().try_into() {
            Ok(rows) => rows,
            Err(_) => unreachable!("there are as many rows as inputs"),
        };
        let feature_bias = take_row();
        let output_weights = std::array::from_fn(|_| [take_row(), take_row()]);
        let output_bias = std::array::from_fn(|_| i32::from_le_bytes(take(&mut rest)));
        let handcrafted = take_handcrafted(&mut rest, shape.handcrafted);
        Ok(Self { feature_weights, feature_bias, output_weights, output_bias, handcrafted })
    }

    /// Returns the bytes that follow the header in this network's file.
    fn payload(&self) -> Vec<u8> {
        let hidden = self.feature_weights.iter().chain([&self.feature_bias]);
        let rows = hidden.chain(self.output_weights.as_flattened());
        let biases = self.output_bias.iter().flat_map(|bias| bias.to_le_bytes());
        let main_layers = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes).chain(biases);
        main_layers.chain(handcrafted_payload(&self.handcrafted)).collect()
    }

    /// Returns the contents of a network file, always with all neurons.
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

    /// Returns the checksum of the weights, which identifies the network.
    pub fn checksum(&self) -> u64 {
        checksum(&self.payload())
    }

    /// Returns the output in centipawns for `us`, the side to move. `own` is this side's half of the hidden layer,
    /// `other` the opponent's half.
    #[inline]
    pub fn output(&self, own: &Row, other: &Row, placement: &Placement, us: Color) -> i32 {
        simd::dispatch(Output { network: self, own, other, placement, us })
    }
}

/// The kernel behind [`Network::output`].
struct Output<'a> {
    network: &'a Network,
    own: &'a Row,
    other: &'a Row,
    placement: &'a Placement,
    us: Color,
}

impl Work for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { network, own, other, placement, us } = self;
        let bucket = output_bucket(placement.occupied().count());
        let inputs = InputComputation { placement, us }.run(isa);
        let handcrafted =
            HandcraftedForward { inputs: &inputs, layer: &network.handcrafted, bucket }.run(isa);
        let hidden = Forward { own, other, weights: &network.output_weights[bucket] }.run(isa);
        to_centipawns(hidden, network.output_bias[bucket], handcrafted)
    }
}

/// Adds up the parts of the output, which come in different units, and converts the total to centipawns. The units are
/// 2 / ([`QA`]² [`QB`]) for `sum`, because [`Forward`] halves the squares, 1 / ([`QA`] [`QB`]) for `bias`, and
/// 1 / ([`QD`] [`QO`]) for `handcrafted`.
#[inline(always)]
fn to_centipawns(sum: i32, bias: i32, handcrafted: i64) -> i32 {
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

/// Takes `hidden` weights from the front of `bytes` and pads the row with zeros.
fn take_row(bytes: &mut &[u8], hidden: usize) -> Row {
    Row(std::array::from_fn(|neuron| if neuron < hidden { i16::from_le_bytes(take(bytes)) } else { 0 }))
}

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

/// Takes the handcrafted layer with its sizes, and leaves the weights of neurons beyond `neurons` zero.
fn take_handcrafted(rest: &mut &[u8], neurons: usize) -> HandcraftedLayer {
    let _sizes: [u8; 8] = take(rest);
    let mut layer = HandcraftedLayer::zero();
    for input in 0..HANDCRAFTED_INPUTS {
        for neuron in 0..neurons {
            *layer.weight_mut(input, neuron) = i16::from_le_bytes(take(rest));
        }
    }
    layer.bias[..neurons].fill_with(|| i32::from_le_bytes(take(rest)));
    for output in &mut layer.output {
        output[..neurons].fill_with(|| i16::from_le_bytes(take(rest)));
    }
    layer
}

/// A 64-bit FNV-1a hash (Fowler, Noll, Vo) of bytes that come piece by piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checksum(pub u64);

impl Default for Checksum {
    /// Returns the hash of no bytes.
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Checksum {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        const PRIME: u64 = 0x0000_0100_0000_01B3;
        self.0 = bytes.iter().fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    }
}

/// Returns the [`Checksum`] of `bytes`.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    checksum.0
}
