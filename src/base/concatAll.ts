/** So many arguments a call can take on any machine. */
const AT_ONCE = 10_000;

/** All lists as one; unlike `push(...items)` also when there are hundreds of thousands of items. */
export function concatAll<T>(lists: readonly (readonly T[])[]): T[] {
  let all: T[] = [];
  for (let at = 0; at < lists.length; at += AT_ONCE) all = all.concat(...lists.slice(at, at + AT_ONCE));
  return all;
}

/** One after another. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  // Of a conversation these are many, and each step of `for … of` makes an object.
  pieces.forEach(({ length }) => (size += length));
  const whole = new Uint8Array(size);
  let at = 0;
  pieces.forEach((piece) => {
    whole.set(piece, at);
    at += piece.length;
  });
  return whole;
}
