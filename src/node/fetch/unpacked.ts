import type { IncomingMessage } from 'node:http';
import { type Duplex, type Readable, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** More than anybody packs one into another. */
const MAX_LAYERS = 3;

const UNPACKERS: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/**
 * The body of an answer as it was before the server packed it; what is packed in a way that is not known stays as it is. Who
 * gives up reading it hangs up, as with the answer itself.
 */
export function unpacked(incoming: IncomingMessage, encoding: string): Readable {
  const layers = encoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse()
    .map((name) => UNPACKERS.get(name));
  if (layers.length > MAX_LAYERS || layers.includes(undefined)) return incoming;
  return layers.reduce<Readable>((body, unpacker) => {
    // An error ends both sides, and reaches who reads.
    return unpacker ? pipeline(body, unpacker(), () => undefined) : body;
  }, incoming);
}
