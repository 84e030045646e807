/** The number of arguments that a call accepts on any machine. */
const AT_ONCE = 10_000;

/** Concatenates all lists. Unlike `push(...items)`, it handles hundreds of thousands of items. */
export function concatAll<T>(lists: readonly (readonly T[])[]): T[] {
  let all: T[] = [];
  for (let at = 0; at < lists.length; at += AT_ONCE) all = all.concat(...lists.slice(at, at + AT_ONCE));
  return all;
}

/** Concatenates the pieces. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  // A conversation has many pieces, and `for … of` allocates an object for each step.
  pieces.forEach(({ length }) => (size += length));
  const whole = new Uint8Array(size);
  let at = 0;
  pieces.forEach((piece) => {
    whole.set(piece, at);
    at += piece.length;
  });
  return whole;
}
