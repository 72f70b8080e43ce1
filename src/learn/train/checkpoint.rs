//! Checkpoint of a training run: hyperparameters, parameters and the state of the optimiser, in one file that is replaced
//! atomically.
//!
//! The file begins with a line of JSON, which has a checksum of the rest. Then follow, as little-endian `f32`, the
//! parameters, the first and second moments, and the averaged parameters if there are any.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::learn::games::sample::Sample;
use crate::learn::train::adamw::AdamW;
use crate::learn::train::handcrafted::Normalisation;
use crate::learn::train::layout::PARAMETERS;
use crate::learn::train::model;
use crate::learn::train::options::Hyperparameters;
use crate::learn::train::swa::WeightAverage;
use crate::nnue::network::checksum;
use crate::nnue::{HandcraftedLayer, Network};
use crate::util::files;

/// State of a training run between two epochs.
pub struct Checkpoint {
    /// Hyperparameters of the run.
    pub hyperparameters: Hyperparameters,
    /// Normalisation of the handcrafted inputs.
    pub normalisation: Normalisation,
    /// Multiplier of the learning rate of the handcrafted layer.
    pub handcrafted_lr_multiplier: f32,
    /// Number of finished epochs.
    pub epochs: u32,
    /// Parameters after the last step.
    pub parameters: Vec<f32>,
    /// State of the optimiser.
    pub optimiser: AdamW,
    /// Averaged parameters of the last part of the run.
    pub swa: WeightAverage,
}

/// Header of the file. The JSON names are those of version 0.1.0.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "settings")]
    hyperparameters: Hyperparameters,
    epochs: u32,
    steps: u64,
    #[serde(default)]
    averaged_steps: u64,
    parameters: usize,
    #[serde(default)]
    normalisation: Normalisation,
    #[serde(default, rename = "dense_haste")]
    handcrafted_lr_multiplier: f32,
    /// FNV-1a checksum of the rest of the file; missing in checkpoints of version 0.1.0.
    checksum: Option<u64>,
}

/// Learning rate multiplier of a handcrafted layer that is trained from scratch in a trained network: the other weights
/// need low rates.
const SCRATCH_LR_MULTIPLIER: f32 = 8.0;

impl Checkpoint {
    /// Creates the initial state: the parameters of `from` or random ones, and the normalisation of `samples`.
    pub fn initial(hyperparameters: Hyperparameters, from: Option<&Network>, samples: &[Sample]) -> Self {
        let normalisation = Normalisation::of(samples);
        let seed = hyperparameters.seed;
        let parameters = from.map_or_else(
            || model::random_parameters(seed),
            |network| {
                let mut parameters = model::parameters_of(network, &normalisation);
                model::reinit_dead_neurons(&mut parameters, seed);
                parameters
            },
        );
        let lacks_handcrafted = from.is_some_and(|network| network.handcrafted == HandcraftedLayer::zero());
        Self {
            hyperparameters,
            handcrafted_lr_multiplier: if lacks_handcrafted { SCRATCH_LR_MULTIPLIER } else { 1.0 },
            normalisation,
            epochs: 0,
            parameters,
            optimiser: AdamW::default(),
            swa: WeightAverage::default(),
        }
    }

    /// Returns the resulting parameters: the averaged ones if there are any.
    pub fn result(&self) -> &[f32] {
        self.swa.get().unwrap_or(&self.parameters)
    }

    /// Returns the path of the checkpoint of the network file `output`.
    pub fn path(output: &Path) -> PathBuf {
        output.with_extension("checkpoint")
    }

    /// Writes the checkpoint to `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let lists = [&self.parameters, &self.optimiser.mean, &self.optimiser.square, &self.swa.mean];
        let bytes: Vec<u8> = lists.into_iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let header = Header {
            hyperparameters: self.hyperparameters.clone(),
            epochs: self.epochs,
            steps: self.optimiser.steps,
            averaged_steps: self.swa.steps,
            parameters: PARAMETERS,
            normalisation: self.normalisation.clone(),
            handcrafted_lr_multiplier: self.handcrafted_lr_multiplier,
            checksum: Some(checksum(&bytes)),
        };
        files::replace_with(path, |out| {
            serde_json::to_writer(&mut *out, &header)?;
            out.write_all(b"\n")?;
            out.write_all(&bytes)
        })
    }

    /// Returns `true` if a file that begins with `bytes` may be a checkpoint.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(b"{\"settings\":")
    }

    /// Reads the checkpoint at `path`; `None` if the file does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or belongs to a network of another shape.
    pub fn load(path: &Path) -> io::Result<Option<Self>> {
        let file = match std::fs::File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut input = BufReader::new(file);
        let mut line = String::new();
        input.read_line(&mut line)?;
        let header: Header = serde_json::from_str(&line)?;
        if header.parameters != PARAMETERS {
            return Err(io::Error::other(format!(
                "belongs to a network of {} parameters, this program's has {PARAMETERS}",
                header.parameters
            )));
        }
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        let lists = if header.averaged_steps > 0 { 4 } else { 3 };
        let is_complete = bytes.len() == lists * 4 * PARAMETERS && header.normalisation.is_complete();
        if !is_complete || header.checksum.is_some_and(|sum| sum != checksum(&bytes)) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "damaged; remove it to start a new run"));
        }
        let mut lists = bytes.chunks_exact(4 * PARAMETERS).map(|bytes| -> Vec<f32> {
            bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        });
        let [Some(parameters), Some(mean), Some(square)] = std::array::from_fn(|_| lists.next()) else {
            unreachable!("the length was checked");
        };
        let optimiser = AdamW { mean, square, steps: header.steps };
        let swa = WeightAverage { mean: lists.next().unwrap_or_default(), steps: header.averaged_steps };
        Ok(Some(Self {
            hyperparameters: header.hyperparameters,
            normalisation: header.normalisation,
            handcrafted_lr_multiplier: header.handcrafted_lr_multiplier,
            epochs: header.epochs,
            parameters,
            optimiser,
            swa,
        }))
    }
}
