//! The files that a training run writes besides the network: its checkpoint and its log.
//!
//! A checkpoint begins with a line of JSON. Then follow, as little-endian `f32`, the parameters, the first and second
//! moments, and the averaged parameters if there are any. A checkpoint ends with an FNV-1a checksum of all bytes before
//! it, a little-endian `u64`.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::sample::Sample;
use crate::train::arguments::Hyperparameters;
use crate::train::handcrafted::Normalisation;
use crate::train::layout::PARAMETERS;
use crate::train::model;
use crate::train::optimiser::{AdamW, WeightAverage};
use enroque::nnue::Network;
use enroque::nnue::network::checksum;
use enroque_runs::files;
use enroque_runs::rows::{self, Encoding, Row, Rows};

/// State of a training run between two epochs.
pub struct Checkpoint {
    pub hyperparameters: Hyperparameters,
    pub normalisation: Normalisation,
    /// How many epochs are finished.
    pub epochs: u32,
    /// Parameters after the last step.
    pub parameters: Vec<f32>,
    pub optimiser: AdamW,
    /// Parameters averaged over the last part of the run (`--average`).
    pub swa: WeightAverage,
}

/// The line of JSON with which a checkpoint begins.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "settings")]
    hyperparameters: Hyperparameters,
    epochs: u32,
    steps: u64,
    averaged_steps: u64,
    parameters: usize,
    normalisation: Normalisation,
}

/// We give up looking for the end of the JSON line after this many bytes.
const MAX_HEADER_SIZE: u64 = 1 << 20;
const CHECKSUM_SIZE: usize = 8;

impl Checkpoint {
    /// Begins a run with the parameters of `from`, or random ones, and measures the normalisation on `samples`.
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
        Self {
            hyperparameters,
            normalisation,
            epochs: 0,
            parameters,
            optimiser: AdamW::default(),
            swa: WeightAverage::default(),
        }
    }

    /// Returns the averaged parameters if there are any, else the parameters after the last step.
    pub fn result(&self) -> &[f32] {
        self.swa.get().unwrap_or(&self.parameters)
    }

    pub fn path(output: &Path) -> PathBuf {
        output.with_extension("checkpoint")
    }

    pub fn save(&self, path: &Path) -> io::Result<()> {
        let header = Header {
            hyperparameters: self.hyperparameters.clone(),
            epochs: self.epochs,
            steps: self.optimiser.steps,
            averaged_steps: self.swa.steps,
            parameters: PARAMETERS,
            normalisation: self.normalisation.clone(),
        };
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        let lists = [&self.parameters, &self.optimiser.mean, &self.optimiser.square, &self.swa.mean];
        bytes.extend(lists.into_iter().flatten().flat_map(|value| value.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        files::replace(path, &bytes)
    }

    /// Whether a file that begins with `bytes` may be a checkpoint.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(b"{\"settings\":")
    }

    /// Reads the checkpoint at `path`; `None` if the file does not exist.
    pub fn load(path: &Path) -> Result<Option<Self>> {
        match files::open_regular(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            file => Self::read(file?).map(Some),
        }
    }

    pub fn read(input: impl Read) -> Result<Self> {
        const DAMAGED: &str = "damaged; remove it to start a new run";
        let mut input = BufReader::new(input);
        let mut bytes = Vec::new();
        (&mut input).take(MAX_HEADER_SIZE).read_until(b'\n', &mut bytes)?;
        let header_size = bytes.len();
        let header: Header = serde_json::from_slice(&bytes).ok().context(DAMAGED)?;
        ensure!(
            header.parameters == PARAMETERS,
            "its network has {} parameters, but the one of this program has {PARAMETERS}; remove it to start a new run",
            header.parameters
        );
        let list_size = size_of::<f32>() * PARAMETERS;
        let numbers_size = if header.averaged_steps > 0 { 4 * list_size } else { 3 * list_size };
        // We read one byte more than we need, which tells us whether the file is too long.
        input.take((numbers_size + CHECKSUM_SIZE + 1) as u64).read_to_end(&mut bytes)?;
        let (content, end) = bytes.split_at_checked(header_size + numbers_size).context(DAMAGED)?;
        ensure!(checksum(content).to_le_bytes() == end && header.normalisation.is_complete(), DAMAGED);
        let mut lists = content[header_size..].chunks_exact(list_size).map(|bytes| -> Vec<f32> {
            bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        });
        let mut next_list = || lists.next().unwrap_or_default();
        Ok(Self {
            hyperparameters: header.hyperparameters,
            normalisation: header.normalisation,
            epochs: header.epochs,
            parameters: next_list(),
            optimiser: AdamW { mean: next_list(), square: next_list(), steps: header.steps },
            swa: WeightAverage { mean: next_list(), steps: header.averaged_steps },
        })
    }
}

/// A row of the log. Each figure is text because it has its own number of digits.
#[derive(PartialEq, Serialize, Deserialize)]
struct LoggedEpoch {
    epoch: u32,
    loss: String,
    /// Empty if no positions are held out.
    held_out_loss: String,
    /// The learning rate of the last step.
    rate: String,
    positions_per_second: String,
}

impl Row for LoggedEpoch {
    const ENCODING: Encoding =
        Encoding::Csv { header: "epoch,loss,held_out_loss,rate,positions_per_second\n" };
}

/// The log of a training run, with a CSV row for each epoch. We lock it against a second run with the same files.
pub struct Log(Rows<LoggedEpoch>);

impl Log {
    pub fn path(output: &Path) -> PathBuf {
        output.with_extension("csv")
    }

    /// Fails if the file exists and isn't a log.
    pub fn ensure_overwritable(path: &Path) -> Result<()> {
        rows::ensure_overwritable(path, &[LoggedEpoch::ENCODING])
    }

    /// Opens the log and keeps the first `epochs` rows, because a killed run can have logged one row too many.
    pub fn open(path: &Path, epochs: u32) -> Result<Self> {
        let mut rows = Rows::open(path, |_: LoggedEpoch| Ok(()))?;
        rows.keep_first(epochs as usize)?;
        Ok(Self(rows))
    }

    /// Appends a row: the losses in training and on the held-out set, the last learning rate, and positions per second.
    pub fn add(&mut self, epoch: u32, loss: f64, held_out: Option<f64>, rate: f32, speed: f64) -> Result<()> {
        self.0.add(&LoggedEpoch {
            epoch,
            loss: format!("{loss:.7}"),
            held_out_loss: held_out.map_or_else(String::new, |loss| format!("{loss:.7}")),
            rate: format!("{rate:.3e}"),
            positions_per_second: format!("{speed:.0}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bytes of a checkpoint after seven of nine epochs.
    fn file() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n.checkpoint");
        let mut state = Checkpoint::initial(Hyperparameters::parse(&["--epochs", "9"]), None, &[]);
        state.epochs = 7;
        state.optimiser.steps = u64::MAX;
        state.save(&path).unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn every_part_is_in_the_checksum() {
        let file = file();
        let read = Checkpoint::read(&file[..]).unwrap();
        assert_eq!((read.epochs, read.optimiser.steps), (7, u64::MAX));
        let header = file.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let text = String::from_utf8_lossy(&file[..header]).into_owned();
        let epochs = text.find("\"epochs\":7").unwrap() + "\"epochs\":".len();
        for at in [epochs, header - 3, header, file.len() / 2, file.len() - 9, file.len() - 1] {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(Checkpoint::read(&damaged[..]).is_err(), "{at}");
        }
        for length in [0, 1, header - 1, header, file.len() - 8, file.len() - 1] {
            assert!(Checkpoint::read(&file[..length]).is_err(), "{length}");
        }
        assert!(Checkpoint::read(&[&file[..], b"x"].concat()[..]).is_err());
    }

    #[test]
    fn log_of_version_0_2_0_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n.csv");
        let first =
            "epoch,loss,held_out_loss,rate,positions_per_second\n1,0.0849003,0.0944037,7.628e-4,1567\n";
        let second = "2,0.0757074,,2.763e-4,1437\n";
        std::fs::write(&path, format!("{first}{second}3,0.07")).unwrap();
        let mut log = Log::open(&path, 1).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
        log.add(2, 0.075_707_4, None, 2.763e-4, 1437.0).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{first}{second}"));
    }
}
