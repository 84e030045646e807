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
  const errors = errorWriter();
  let isLost = false;
  process.stdout.on('error', (error: Error) => {
    if (isLost || errorCode(error) === 'EPIPE') return;
    isLost = true;
    errors.write(`cairn: standard output could not be written: ${error.message}. The session has all of it.\n`);
    process.once('exit', () => (process.exitCode ||= EXIT.failed));
  });
  const inOrder = (text: string) => {
    errors.flush();
    process.stdout.write(text);
  };
  return {
    // Files and other programs get the exact text.
    out: process.stdout.isTTY ? safely(process.stdout) : inOrder,
    err: (text) => errors.write(safeNote(text)),
    outIsTerminal: process.stdout.isTTY,
  };
}

/** Writes text that arrives in chunks so that nothing in it can control the terminal, wherever it is split. */
function safely(stream: NodeJS.WritableStream): (text: string) => void {
  const safe = new SafeStream();
  process.once('exit', () => stream.write(safe.end()));
  return (text) => void stream.write(safe.push(text));
}

interface ErrorWriter {
  write(text: string): void;
  /** Writes at once what was given so far. */
  flush(): void;
}

/** Notes for a person come at once; whoever reads a pipe or a file does not notice this. */
const SOON_MS = 50;

/** Writes to standard error. Failures are ignored: whoever closed it does not want to know more. */
function errorWriter(): ErrorWriter {
  if (isatty(STANDARD_ERROR)) {
    process.stderr.on('error', () => undefined);
    return { write: (text) => void process.stderr.write(text), flush: () => undefined };
  }
  // Each write to a pipe wakes its reader, which costs more than all else that a note does.
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const writeNow = pipeWriter();
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') writeNow(text);
  };
  process.once('exit', flush);
  return {
    write(text) {
      waiting += text;
      timer ??= setTimeout(flush, SOON_MS).unref();
    },
    flush,
  };
}

/** Without Node's stream, which costs more than the write, and for a console converts the text on Windows. */
function pipeWriter(): (text: string) => void {
  let isStream = false;
  const throughStream = (text: Uint8Array | string) => void process.stderr.write(text);
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
