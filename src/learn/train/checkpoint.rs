//! What a training run needs to go on: hyperparameters, parameters and the optimiser's memory, in one file that is
//! replaced at once or not at all.
//!
//! A line of JSON, then parameters, means and squares as little-endian `f32`.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Hyperparameters;
use super::adamw::AdamW;
use super::model::PARAMETERS;

/// A run between two epochs.
pub struct Checkpoint {
    /// What was asked for.
    pub hyperparameters: Hyperparameters,
    /// Epochs done.
    pub epochs: u32,
    /// The network.
    pub parameters: Vec<f32>,
    pub optimiser: AdamW,
}

#[derive(Serialize, Deserialize)]
struct Header {
    /// Under the name that the checkpoints of version 0.1.0 have.
    #[serde(rename = "settings")]
    hyperparameters: Hyperparameters,
    epochs: u32,
    steps: u64,
    parameters: usize,
}

impl Checkpoint {
    /// Where the checkpoint of the network file `output` is.
    pub fn path(output: &Path) -> PathBuf {
        output.with_extension("checkpoint")
    }

    /// Writes the checkpoint to `path`.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let fresh = path.with_extension("checkpoint.new");
        let mut out = BufWriter::new(std::fs::File::create(&fresh)?);
        let header = Header {
            hyperparameters: self.hyperparameters.clone(),
            epochs: self.epochs,
            steps: self.optimiser.steps,
            parameters: PARAMETERS,
        };
        serde_json::to_writer(&mut out, &header)?;
        out.write_all(b"\n")?;
        for list in [&self.parameters, &self.optimiser.mean, &self.optimiser.square] {
            for value in list {
                out.write_all(&value.to_le_bytes())?;
            }
        }
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
        std::fs::rename(fresh, path)
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
        let mut list = || -> io::Result<Vec<f32>> {
            let mut bytes = vec![0; 4 * PARAMETERS];
            input.read_exact(&mut bytes)?;
            Ok(bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
        };
        let parameters = list()?;
        let optimiser = AdamW { mean: list()?, square: list()?, steps: header.steps };
        Ok(Some(Self {
            hyperparameters: header.hyperparameters,
            epochs: header.epochs,
            parameters,
            optimiser,
        }))
    }
}
