//! Can this machine run this binary? Engines are compiled for the machine that builds them, and a machine
//! that lacks an instruction should hear so instead of seeing the program die.
//!
//! The standard library's test is no use here: for a feature that was compiled in, it is always true. On machines
//! without AVX (before 2011) the language's own start-up code dies before we can speak.

/// The instruction sets this binary was compiled for and this machine lacks.
#[cfg(target_arch = "x86_64")]
pub fn missing() -> Vec<&'static str> {
    use raw_cpuid::{CpuIdResult, native_cpuid::cpuid_count};

    // Plain numbers in, plain bits out: the test itself must not need what it tests for.
    let leaf = |number: u32| {
        let last = cpuid_count(number & 0x8000_0000, 0).eax;
        if number <= last { cpuid_count(number, 0) } else { CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 } }
    };
    macro_rules! lacking {
        ($($leaf:literal $register:ident: $($name:literal $bit:literal),*;)*) => {
            [$($((cfg!(target_feature = $name) && leaf($leaf).$register >> $bit & 1 == 0).then_some($name)),*),*]
        };
    }
    let sets = lacking! {
        1 ecx: "sse3" 0, "pclmulqdq" 1, "ssse3" 9, "fma" 12, "sse4.1" 19, "sse4.2" 20, "movbe" 22, "popcnt" 23,
            "aes" 25, "avx" 28, "f16c" 29;
        7 ebx: "bmi1" 3, "avx2" 5, "bmi2" 8, "avx512f" 16, "avx512dq" 17, "adx" 19, "avx512ifma" 21, "avx512cd" 28,
            "sha" 29, "avx512bw" 30, "avx512vl" 31;
        7 ecx: "avx512vbmi" 1, "avx512vbmi2" 6, "gfni" 8, "vaes" 9, "vpclmulqdq" 10, "avx512vnni" 11,
            "avx512bitalg" 12, "avx512vpopcntdq" 14;
        0x8000_0001 ecx: "lzcnt" 5;
    };
    sets.into_iter().flatten().collect()
}

/// Elsewhere the loader refuses foreign binaries by itself.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing() -> Vec<&'static str> {
    Vec::new()
}

/// Says what is missing, if anything is; the first thing every program does.
pub fn check() -> Result<(), String> {
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "this program was compiled for another processor; yours lacks {}.\n\
         Build it on this machine (cargo build --release), or a portable one (scripts/build-portable).",
        missing.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_that_compiled_this_can_run_it() {
        assert_eq!(super::check(), Ok(()));
    }
}
