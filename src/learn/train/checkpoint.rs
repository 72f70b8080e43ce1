//! What a training run needs to go on: hyperparameters, parameters and the optimiser's memory, in one file that is
//! replaced at once or not at all.
//!
//! A line of JSON, with a checksum of the rest; then as little-endian `f32` parameters, means and squares, and the mean of
//! the parameters where they are averaged.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::learn::train::Hyperparameters;
use crate::learn::train::adamw::AdamW;
use crate::learn::train::handcrafted::Normalisation;
use crate::learn::train::model::PARAMETERS;
use crate::learn::train::swa::Average;
use crate::nnue::network::checksum;
use crate::util::files;

/// A run between two epochs.
pub struct Checkpoint {
    /// What was asked for.
    pub hyperparameters: Hyperparameters,
    /// Of the handcrafted inputs.
    pub normalisation: Normalisation,
    /// Learning rate of the handcrafted layer, as a multiple of the others' rate.
    pub handcrafted_lr_multiplier: f32,
    /// Epochs done.
    pub epochs: u32,
    /// What the last step left.
    pub parameters: Vec<f32>,
    pub optimiser: AdamW,
    /// Of the parameters, over the last part of the run.
    pub average: Average,
}

#[derive(Serialize, Deserialize)]
struct Header {
    /// Under the name that the checkpoints of version 0.1.0 have.
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
    /// FNV-1a of what follows; the checkpoints of version 0.1.0 have none.
    checksum: Option<u64>,
}

impl Checkpoint {
    /// The parameters that the run has come to: averaged, where they are.
    pub fn outcome(&self) -> &[f32] {
        self.average.get().unwrap_or(&self.parameters)
    }

    /// Where the checkpoint of the network file `output` is.
    pub fn path(output: &Path) -> PathBuf {
        output.with_extension("checkpoint")
    }

    /// Writes the checkpoint to `path`.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let lists = [&self.parameters, &self.optimiser.mean, &self.optimiser.square, &self.average.mean];
        let bytes: Vec<u8> = lists.into_iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let header = Header {
            hyperparameters: self.hyperparameters.clone(),
            epochs: self.epochs,
            steps: self.optimiser.steps,
            averaged_steps: self.average.steps,
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

    /// `true` when a file that begins like this may be a checkpoint.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(b"{\"settings\":")
    }

    /// Reads the checkpoint at `path`; `None` when there is none.
    ///
    /// # Errors
    /// When it cannot be read or belongs to a network of another shape.
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
        let is_whole = bytes.len() == lists * 4 * PARAMETERS && header.normalisation.is_whole();
        if !is_whole || header.checksum.is_some_and(|sum| sum != checksum(&bytes)) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "damaged; remove it to begin anew"));
        }
        let mut lists = bytes.chunks_exact(4 * PARAMETERS).map(|bytes| -> Vec<f32> {
            bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        });
        let [Some(parameters), Some(mean), Some(square)] = std::array::from_fn(|_| lists.next()) else {
            unreachable!("the length was checked");
        };
        let optimiser = AdamW { mean, square, steps: header.steps };
        let average = Average { mean: lists.next().unwrap_or_default(), steps: header.averaged_steps };
        Ok(Some(Self {
            hyperparameters: header.hyperparameters,
            normalisation: header.normalisation,
            handcrafted_lr_multiplier: header.handcrafted_lr_multiplier,
            epochs: header.epochs,
            parameters,
            optimiser,
            average,
        }))
    }
}
