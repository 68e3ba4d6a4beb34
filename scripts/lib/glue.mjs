// What is changed in the loader script that wasm-bindgen writes.

/** Where a text begins to be copied by the platform: below, starting its encoder costs more than a loop over the characters. */
const LONG = 200;

/** The loop with which every text enters the memory, as wasm-bindgen writes it. */
const LOOP = `
    let offset = 0;

    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
`;

/** The same, but a long text is encoded by the platform from its first character on: 4000 characters take 2 microseconds instead of 17. */
const ENCODER = `
    let offset = 0;
    let read = 0;

    if (len < ${LONG}) {
        for (; read < len; read++) {
            const code = arg.charCodeAt(read);
            if (code > 0x7F) break;
            mem[ptr + read] = code;
        }
        offset = read;
    } else {
        ({ read, written: offset } = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len)));
    }
    if (read !== len) {
        if (read !== 0) {
            arg = arg.slice(read);
        }
`;

/**
 * @param {string} script as wasm-bindgen wrote it
 * @returns {string}
 * @throws {Error} where it does not hold that loop once: another version of wasm-bindgen, and this has to be looked at again
 */
export function withFastTexts(script) {
  const parts = script.split(LOOP);
  if (parts.length !== 2) throw new Error(`the loader script copies texts in ${parts.length - 1} places, not in one`);
  return parts.join(ENCODER);
}
