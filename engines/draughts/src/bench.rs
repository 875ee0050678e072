//! Fixed positions searched to a fixed depth: a checksum of behaviour and a measure of speed.

pub(crate) const DEPTH: u32 = 22;

pub(crate) const POSITIONS: [&str; 8] = [
    "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "W:W17,18,21,24,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,9,11,12,16",
    "B:W18,19,22,23,25,27,30,31,32:B2,3,5,6,8,10,11,12,14",
    "W:W15,21,25,26,30,31:B3,5,7,9,12,13",
    "B:W14,22,29,30,32:B1,4,7,12,20",
    "W:WK29,K32,21:BK1,K4,12",
    "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K2",
    "W:W13,22,K18:B5,12,K1,20",
];
