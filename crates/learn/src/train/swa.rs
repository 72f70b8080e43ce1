//! Stochastic weight averaging (Izmailov, Podoprikhin, Garipov, Vetrov and Wilson 2018): the mean of the weights over
//! the last steps of a run. It overfits less than the weights of a single step.

use rayon::prelude::*;

use crate::train::layout::{CHUNK, PARAMETERS};

#[derive(Default)]
pub struct WeightAverage {
    /// Empty before the first step.
    pub mean: Vec<f32>,
    pub steps: u64,
}

impl WeightAverage {
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

    pub fn get(&self) -> Option<&[f32]> {
        (self.steps > 0).then_some(&self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_weigh_equally() {
        let mut average = WeightAverage::default();
        assert!(average.get().is_none());
        for value in [1.0, 2.0, 6.0] {
            average.add(&vec![value; PARAMETERS]);
        }
        assert!(average.get().unwrap().iter().all(|mean| (mean - 3.0).abs() < 1e-6));
    }
}
