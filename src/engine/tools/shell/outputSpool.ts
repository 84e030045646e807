import { errorText } from '../../../base/errorText';
import { EngineError } from '../../engineError';
import type { OutputFile } from '../toolContext';

/** Characters that may wait to be written before the writer of the output has to wait. */
const MAX_WAITING = 2_000_000;
/** Characters that a file gets at most. */
const MAX_FILE = 200_000_000;

/** Where the whole of an output is. */
export interface SpooledOutput {
  /** Null when no file could be made. */
  path: string | null;
  /** How much of the output there was. */
  characters: number;
  /** Why not all of it is in the file; null when it is. */
  missing: string | null;
}

/** Puts an output into a file as it comes, when it is longer than `keep` characters; before, no file is made. */
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

  /** Takes a piece. When it comes faster than it can be written, a promise that resolves when there is room again. */
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

  /** Null when the output was short enough to need no file; resolves when all so far is written. */
  async saved(): Promise<SpooledOutput | null> {
    await this.writing;
    const { file, characters, missing } = this;
    if (!file && missing === null) return null;
    return { path: file?.path ?? null, characters, missing };
  }

  private get hasFailed(): boolean {
    return this.missing !== null && this.characters <= MAX_FILE;
  }

  /** Never rejects: an output that cannot be kept is no reason to lose the command. */
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
