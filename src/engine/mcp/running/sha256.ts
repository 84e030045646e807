/** Returns the first 32 bits of the fractional parts of the primes' roots, from which SHA-256 takes its constants. */
function rootBits(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let one = 2; primes.length < count; one++) if (primes.every((prime) => one % prime !== 0)) primes.push(one);
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}

/** Returns the text in whole blocks of 64 bytes, with its length in bits at the end. */
function padded(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 4, bytes.length * 8);
  return view;
}

let constants: Uint32Array | undefined;

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Fills `words` with the block at an offset and what follows from it. */
function expand(words: Uint32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] ?? 0;
    const late = words[i - 2] ?? 0;
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = (words[i - 16] ?? 0) + first + (words[i - 7] ?? 0) + second;
  }
}

/**
 * Computes the SHA-256 of a short text, in hexadecimal. Loading node:crypto takes longer than computing a dozen of these; for
 * longer texts, and once it is loaded, use `FileSystem.digest`.
 */
export function sha256(text: string): string {
  const added = (constants ??= rootBits(64, Math.cbrt));
  const state = rootBits(8, Math.sqrt);
  const view = padded(text);
  const words = new Uint32Array(64);
  for (let at = 0; at < view.byteLength; at += 64) {
    expand(words, view, at);
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const mixed = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
      const one = h + mixed + (added[i] ?? 0) + (words[i] ?? 0);
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}
