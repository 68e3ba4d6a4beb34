#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agent_turn_fuzz::targets::outcome::run(bytes));
