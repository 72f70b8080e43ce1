//! The mean of the weights along the last part of the way (stochastic weight averaging: Izmailov, Podoprikhin, Garipov,
//! Vetrov and Wilson 2018): where single steps learn their positions by heart, their mean keeps what they have in common.

use rayon::prelude::*;

use crate::learn::train::model::{CHUNK, PARAMETERS};

/// A running mean of all parameters.
#[derive(Default)]
pub struct Average {
    /// The mean; empty before the first step.
    pub mean: Vec<f32>,
    /// Steps that it is of.
    pub steps: u64,
}

impl Average {
    /// Takes in the parameters after one more step.
    pub fn add(&mut self, parameters: &[f32]) {
        self.mean.resize(PARAMETERS, 0.0);
        self.steps += 1;
        let share = 1.0 / self.steps as f32;
        self.mean.par_chunks_mut(CHUNK).zip(parameters.par_chunks(CHUNK)).for_each(|(mean, parameters)| {
            for (mean, parameter) in mean.iter_mut().zip(parameters) {
                *mean += (parameter - *mean) * share;
            }
        });
    }

    /// The mean, once there is one.
    pub fn get(&self) -> Option<&[f32]> {
        (self.steps > 0).then_some(&self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_weighs_the_same() {
        let mut average = Average::default();
        assert!(average.get().is_none());
        for value in [1.0, 2.0, 6.0] {
            average.add(&vec![value; PARAMETERS]);
        }
        assert!(average.get().unwrap().iter().all(|mean| (mean - 3.0).abs() < 1e-6));
    }
}
