import { errorText } from '../../../base/errorText';
import { EngineError } from '../../engineError';
import type { OutputFile } from '../toolContext';

/** The number of characters that may be queued before the producer of the output has to wait. */
const MAX_WAITING = 2_000_000;
/** The maximum number of characters in a file. */
const MAX_FILE = 200_000_000;

/** The location of an output as a whole. */
export interface SpooledOutput {
  /** Null if no file could be created. */
  path: string | null;
  /** The length of the output. */
  characters: number;
  /** The reason why the file is incomplete; null if it is complete. */
  missing: string | null;
}

/** Writes an output to a file as it arrives, once it is longer than `keep` characters; until then, no file is created. */
export class OutputSpool {
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
