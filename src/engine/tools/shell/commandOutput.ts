import type { Truncated } from '../../../base/truncate';
import type { ProcessEnd } from '../../ports';
import type { OutputFile } from '../toolContext';
import { OutputSpool, type SpooledOutput } from './outputSpool';
import { plainOutput } from './plainOutput';

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
export interface ShownOutput extends Truncated {
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
