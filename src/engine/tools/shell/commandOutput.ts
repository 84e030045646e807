import { errorText } from '../../../base/errors';
import type { Truncated } from '../../../base/truncate';
import { EngineError } from '../../engineError';
import type { ProcessEnd } from '../../ports';
import type { OutputFile } from '../toolContext';

/** A line is held back until it ends, because what follows may overwrite it; longer ones are released. */
const MAX_LINE = 64_000;

/** No escape sequence is longer than this. */
const MAX_SEQUENCE = 300;

const ESCAPE = String.fromCharCode(0x1b);

/** `plainOutput` for output that arrives in chunks. */
export class PlainStream {
  private held = '';

  /** Returns the part of the output that is final and was not returned before. */
  push(chunk: string): string {
    this.held += chunk;
    const end = this.held.lastIndexOf('\n') + 1;
    const lines = this.release(end);
    if (this.held.length <= MAX_LINE) return lines;
    this.forgetOverwritten();
    if (this.held.length <= MAX_LINE) return lines;
    const escape = this.held.lastIndexOf(ESCAPE);
    return lines + this.release(escape > this.held.length - MAX_SEQUENCE ? escape : this.held.length);
  }

  /** Returns the last line, if it has no ending. */
  end(): string {
    return this.release(this.held.length);
  }

  private release(end: number): string {
    const text = plainOutput(this.held.slice(0, end));
    this.held = this.held.slice(end);
    return text;
  }

  private forgetOverwritten(): void {
    const last = this.held.lastIndexOf('\r', this.held.length - 2);
    // Also keeps the previous state, in case the last one turns out to be empty.
    const before = last < 0 ? -1 : this.held.lastIndexOf('\r', last - 1);
    if (before >= 0) this.held = this.held.slice(before + 1);
  }
}

/** Collects a text of any length in bounded memory: beyond `max` characters, only the head and the tail are kept. */
class BoundedText {
  private head = '';
  private tail = '';
  private omitted = 0;

  constructor(private readonly max: number) {}

  get isEmpty(): boolean {
    return this.head === '';
  }

  add(text: string): void {
    const half = Math.ceil(this.max / 2);
    const room = half - this.head.length;
    this.head += text.slice(0, room);
    if (text.length <= room) return;
    this.tail += text.slice(room);
    const over = this.tail.length - (this.max - half);
    // Not on every chunk, because each cut copies the tail.
    if (over > this.max) this.drop(over);
  }

  /** Returns what was added since the last call, with a note in the middle of how much is missing. */
  take(): Truncated {
    const over = this.tail.length - Math.floor(this.max / 2);
    if (over > 0) this.drop(over);
    const { head, tail, omitted } = this;
    this.head = '';
    this.tail = '';
    this.omitted = 0;
    return { text: omitted > 0 ? `${head}\n... ${omitted} characters left out ...\n${tail}` : head + tail, omitted };
  }

  private drop(count: number): void {
    this.tail = this.tail.slice(count);
    this.omitted += count;
  }
}

/** Characters that the model receives directly. */
const MAX_CHARACTERS = 30_000;
/** Characters shown live, after which only the ends of big chunks are. */
const LIVE = 256_000;
const LIVE_CHUNK = 2000;

/** Part of an output, without what only a terminal understands. */
interface ShownOutput extends Truncated {
  /** The file with all of the output; null if nothing is missing here. */
  path: string | null;
  /** A sentence for the model about the file, or empty. */
  note: string;
}

/** The output of a command in bounded memory: if it is long, all of it goes to a file. */
export class CommandOutput {
  private readonly plain = new PlainStream();
  private readonly shown = new BoundedText(MAX_CHARACTERS);
  private readonly spool: OutputSpool;
  private live = 0;

  constructor(open: () => Promise<OutputFile>) {
    this.spool = new OutputSpool(open, MAX_CHARACTERS);
  }

  /** True if there is something that `take` has not returned yet. */
  get hasNew(): boolean {
    return !this.shown.isEmpty;
  }

  /**
   * Adds a chunk. `live`: what to show of it immediately, which in a flood is only its end. `behind`: what to await before the
   * next chunk.
   */
  add(chunk: string): { live: string; behind: Promise<void> | undefined } {
    this.live += chunk.length;
    const live = this.live > LIVE && chunk.length > LIVE_CHUNK ? `…${chunk.slice(-LIVE_CHUNK)}` : chunk;
    return { live, behind: this.keep(this.plain.push(chunk)) };
  }

  /** Marks the end of the output. */
  end(): void {
    void this.keep(this.plain.end());
  }

  /** Returns the output since the last call, without its middle if it is long. */
  async take(): Promise<ShownOutput> {
    const shown = this.shown.take();
    const saved = shown.omitted > 0 ? await this.spool.saved() : null;
    if (!saved) return { ...shown, path: null, note: '' };
    return { ...shown, path: saved.path, note: `\n\n${noteOf(saved)}` };
  }

  private keep(text: string): Promise<void> | undefined {
    this.shown.add(text);
    return this.spool.add(text);
  }
}

function noteOf({ path, characters, missing }: SpooledOutput): string {
  if (path === null) return `The whole output could not be saved: ${missing}`;
  if (missing === null) return `The whole output (${characters} characters) is in ${path}.`;
  return `The output is in ${path}, but not all of its ${characters} characters: ${missing}`;
}

/** Describes how a command ended. */
export function endText({ exitCode, signal }: Pick<ProcessEnd, 'exitCode' | 'signal'>): string {
  return signal === null ? `Exit code ${exitCode ?? 'unknown'}.` : `Ended by signal ${signal}.`;
}

/** The number of characters that may be queued before the producer of the output has to wait. */
const MAX_WAITING = 2_000_000;
/** The maximum number of characters in a file. */
const MAX_FILE = 200_000_000;

/** The location of an output as a whole. */
interface SpooledOutput {
  /** Null if no file could be created. */
  path: string | null;
  /** The length of the output. */
  characters: number;
  /** The reason why the file is incomplete; null if it is complete. */
  missing: string | null;
}

/** Writes an output to a file as it arrives, once it is longer than `keep` characters; until then, no file is created. */
class OutputSpool {
  private waiting: string[] = [];
  private waitingLength = 0;
  private characters = 0;
  private file: OutputFile | undefined;
  private missing: string | null = null;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly open: () => Promise<OutputFile>,
    private readonly keep: number,
  ) {}

  /** Adds a chunk. If chunks arrive faster than they can be written, returns a promise that resolves once there is room again. */
  add(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    const room = Math.max(0, MAX_FILE - this.characters);
    this.characters += text.length;
    if (text.length > room) this.missing ??= `A file holds at most ${MAX_FILE} characters.`;
    if (room > 0 && !this.hasFailed) {
      this.waiting.push(text.slice(0, room));
      this.waitingLength += text.length;
    }
    if (this.characters <= this.keep) return undefined;
    this.writing ??= this.write();
    return this.waitingLength > MAX_WAITING ? this.writing : undefined;
  }

  /** Returns null if the output was short enough to need no file; resolves once everything so far is written. */
  async saved(): Promise<SpooledOutput | null> {
    await this.writing;
    const { file, characters, missing } = this;
    if (!file && missing === null) return null;
    return { path: file?.path ?? null, characters, missing };
  }

  private get hasFailed(): boolean {
    return this.missing !== null && this.characters <= MAX_FILE;
  }

  /** Never rejects: an output that cannot be stored is no reason to lose the command. */
  private async write(): Promise<void> {
    try {
      this.file ??= await this.open();
      while (this.waiting.length > 0) {
        const text = this.waiting.join('');
        this.waiting = [];
        this.waitingLength = 0;
        await this.file.append(text);
      }
    } catch (error) {
      this.missing = EngineError.is(error) ? error.message : errorText(error);
      this.waiting = [];
      this.waitingLength = 0;
    } finally {
      this.writing = undefined;
    }
  }
}

const BELL = String.fromCharCode(0x07);

/** Colors and cursor moves, window titles and other strings to the terminal, and lone escapes. */
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\n]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** Control characters, including delete, other than tab and line feed. */
const CONTROLS = new RegExp(`[${String.fromCharCode(0)}-\\u0008\\u000b-\\u001f\\u007f]`, 'g');

/** Returns what a terminal would show in the end: without escape sequences, and with only the last state of an overwritten line. */
export function plainOutput(raw: string): string {
  return raw.replace(SEQUENCES, '').split('\n').map(lastState).join('\n').replace(CONTROLS, '');
}

function lastState(line: string): string {
  if (!line.includes('\r')) return line;
  const states = line.split('\r');
  return states.findLast((state) => state !== '') ?? '';
}
