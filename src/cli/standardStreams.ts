import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { SafeStream } from '../base/shown/safeStream';
import { errorCode } from '../node/fileError';
import { safeNote } from '../node/renderToTerminal';
import { EXIT } from './exitStatus';
import type { OutputStreams } from './output';

const STANDARD_ERROR = 2;

/**
 * A reader that closes the pipe early must not end the run: started work is finished and saved. Failing to write the answer for
 * any other reason, such as a full disk, is still a failure.
 */
export function standardStreams(): OutputStreams {
  const writeError = errorWriter();
  let isLost = false;
  process.stdout.on('error', (error: Error) => {
    if (isLost || errorCode(error) === 'EPIPE') return;
    isLost = true;
    writeError(`cairn: standard output could not be written: ${error.message}. The session has all of it.\n`);
    process.once('exit', () => (process.exitCode ||= EXIT.failed));
  });
  return {
    // Files and other programs get the exact text.
    out: process.stdout.isTTY ? safely(process.stdout) : (text) => void process.stdout.write(text),
    err: (text) => writeError(safeNote(text)),
    outIsTerminal: process.stdout.isTTY,
  };
}

/** Writes text that arrives in chunks so that nothing in it can control the terminal, wherever it is split. */
function safely(stream: NodeJS.WritableStream): (text: string) => void {
  const safe = new SafeStream();
  process.once('exit', () => stream.write(safe.end()));
  return (text) => void stream.write(safe.push(text));
}

/** Returns what writes to standard error. Failures are ignored: whoever closed it does not want to know more. */
function errorWriter(): (text: string) => void {
  // A console needs Node's stream, which converts the text on Windows. For files and pipes, the stream costs more than the write.
  let isStream = isatty(STANDARD_ERROR);
  const throughStream = (text: Uint8Array | string) => void process.stderr.write(text);
  if (isStream) process.stderr.on('error', () => undefined);
  return (text) => {
    if (isStream) return throughStream(text);
    let rest: Uint8Array = Buffer.from(text);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(STANDARD_ERROR, rest));
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') return;
      // The pipe is full and does not wait: the stream does.
      isStream = true;
      process.stderr.on('error', () => undefined);
      throughStream(rest);
    }
  };
}
