//! How an engine talks.
