import type { Truncated } from '../../../base/truncate';
import type { OutputFile } from '../toolContext';
import { BoundedText } from './boundedText';
import { OutputSpool, type SpooledOutput } from './outputSpool';
import { PlainStream } from './plainStream';

/** Characters that the model gets at once. */
const MAX_CHARACTERS = 30_000;
/** Characters shown live before only the ends of big chunks are. */
const LIVE = 256_000;
const LIVE_CHUNK = 2000;

/** Some of an output, without what only a terminal understands. */
export interface ShownOutput extends Truncated {
  /** Where the whole is; null when nothing is missing here. */
  path: string | null;
  /** A sentence for the model about it, or empty. */
  note: string;
}

/** What a command writes, in bounded memory: the whole goes to a file when it is long. */
export class CommandOutput {
  private readonly plain = new PlainStream();
  private readonly shown = new BoundedText(MAX_CHARACTERS);
  private readonly spool: OutputSpool;
  private live = 0;

  constructor(open: () => Promise<OutputFile>) {
    this.spool = new OutputSpool(open, MAX_CHARACTERS);
  }

  /** True when there is something that `take` has not given yet. */
  get hasNew(): boolean {
    return !this.shown.isEmpty;
  }

  /** Takes a chunk. `live`: what of it to show at once, of a flood only ends. `behind`: what to wait for before the next. */
  add(chunk: string): { live: string; behind: Promise<void> | undefined } {
    this.live += chunk.length;
    const live = this.live > LIVE && chunk.length > LIVE_CHUNK ? `…${chunk.slice(-LIVE_CHUNK)}` : chunk;
    return { live, behind: this.keep(this.plain.push(chunk)) };
  }

  /** Nothing more will come. */
  end(): void {
    void this.keep(this.plain.end());
  }

  /** What came since the last time, its middle left out when it is long. */
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
  if (path === null) return `The whole output could not be kept: ${missing}`;
  if (missing === null) return `The whole output (${characters} characters) is in ${path}.`;
  return `The output is in ${path}, but not all of its ${characters} characters: ${missing}`;
}
