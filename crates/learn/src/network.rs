//! The networks that the commands play with and train.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use enroque::nnue::Network;
use enroque_runs::files::AtPath;

/// Loads the network at `path`, or the built-in one if there is no path.
///
/// # Errors
/// Returns an error if the file can't be read or is no network.
pub fn load(path: Option<&Path>) -> Result<Arc<Network>> {
    let Some(path) = path else { return Ok(Network::embedded()) };
    Network::load(path).map(Arc::new).at(path)
}
