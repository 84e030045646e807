import type { IncomingMessage } from 'node:http';
import { type Duplex, type Readable, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** More layers of compression than any real server uses. */
const MAX_LAYERS = 3;

const UNPACKERS: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/**
 * Returns the decompressed body of a response; unknown encodings are left unchanged. Abandoning it closes the connection, as with
 * the response itself.
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
    // An error destroys both sides and reaches the reader.
    return unpacker ? pipeline(body, unpacker(), () => undefined) : body;
  }, incoming);
}
