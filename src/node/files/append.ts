import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorCode } from '../errorCode';

/** Between pieces of this length others may go on. */
const PIECE_BYTES = 1024 * 1024;
const LINE_BREAK = 10;

/**
 * Adds to the end of a file all of the bytes or none, making the file and its folder when they are missing. `asLine`: behind
 * a last line without an end, which was cut off while it was written, they begin a line of their own.
 */
export async function append(file: string, bytes: Uint8Array, asLine = false): Promise<void> {
  const handle = opened(file);
  try {
    const { size } = fstatSync(handle);
    const begun = asLine && size > 0 && lastByte(handle, size) !== LINE_BREAK;
    await write(handle, begun ? Buffer.concat([Uint8Array.of(LINE_BREAK), bytes]) : bytes, size);
  } finally {
    closeSync(handle);
  }
}

/** What got onto a disk that is full is taken back, so that half of it is not in the way of what comes next. */
async function write(handle: number, bytes: Uint8Array, from: number): Promise<void> {
  let written = 0;
  try {
    while (written < bytes.length) {
      if (written > 0 && written % PIECE_BYTES === 0) await setImmediate();
      written += writeSync(handle, bytes, written, Math.min(PIECE_BYTES, bytes.length - written));
    }
  } catch (error) {
    // Not when somebody else added to it meanwhile.
    if (written > 0 && fstatSync(handle).size === from + written) ftruncateSync(handle, from);
    throw error;
  }
}

function lastByte(handle: number, size: number): number | undefined {
  const last = new Uint8Array(1);
  return readSync(handle, last, 0, 1, size - 1) === 1 ? last[0] : undefined;
}

/** Also to be read. Makes the folder when that is what was missing. */
function opened(file: string): number {
  try {
    return openSync(file, 'a+');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    mkdirSync(path.dirname(file), { recursive: true });
    return openSync(file, 'a+');
  }
}
