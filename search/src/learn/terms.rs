//! Linear value functions over named features: which features stand alone and which multiply each other.

/// The product f1 * (1 - f2) of two features, by their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cross(pub usize, pub usize);

/// The terms of a value function: the first features by themselves, then products of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The names of all features.
    pub features: &'static [&'static str],
    /// How many of them, from the first on, are terms by themselves.
    pub alone: usize,
    /// The terms that are products.
    pub products: &'static [Cross],
}

impl Terms {
    /// The number of terms.
    pub fn count(&self) -> usize {
        self.alone + self.products.len()
    }

    /// The name of each term; a product is written `f1*(1-f2)`.
    pub fn names(&self) -> Vec<String> {
        let alone = self.features[..self.alone].iter().map(|&name| name.to_owned());
        let name = |c: &Cross| format!("{}*(1-{})", self.features[c.0], self.features[c.1]);
        alone.chain(self.products.iter().map(name)).collect()
    }

    /// The value of each term, in the order of [`Terms::names`].
    pub fn values<'a>(&self, features: &'a [f32]) -> impl Iterator<Item = f32> + use<'a> {
        let products = self.products.iter().map(|c| features[c.0] * (1.0 - features[c.1]));
        features[..self.alone].iter().copied().chain(products)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: Terms = Terms { features: &["a", "b", "c"], alone: 2, products: &[Cross(2, 0)] };

    #[test]
    fn a_product_has_the_name_and_value_of_its_features() {
        assert_eq!(TERMS.names(), ["a", "b", "c*(1-a)"]);
        assert_eq!(TERMS.values(&[0.25, 0.5, 2.0]).collect::<Vec<_>>(), [0.25, 0.5, 1.5]);
        assert_eq!(TERMS.count(), 3);
    }
}
