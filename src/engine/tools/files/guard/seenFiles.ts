import { textDigest } from '../../../../base/textDigest';
import type { Message } from '../../../messages/message';
import type { SeenFile } from '../../../messages/seenFile';
import type { FileSystem } from '../../../ports';
import { TellableFailure } from './tellableFailure';
import type { ResolvedPath } from '../resolvePath';
import { textLines } from '../textLines';

type Ranges = SeenFile['lines'];

/** What a session's model knows of files: of each what it read or wrote last, and nothing of what others made of it since. */
export class SeenFiles {
  private readonly byPath = new Map<string, SeenFile>();

  /** What the results of calls showed, and what a person sent along. */
  learnFrom(message: Message): void {
    if (message.role === 'tool') for (const { seen } of message.results) if (seen) this.learn(seen);
    if (message.role !== 'user') return;
    for (const part of message.parts)
      if (part.type === 'text' && part.attachment?.seen) this.learn(part.attachment.seen);
  }

  /** Parts of one text add up; of another text nothing is left that was known before. */
  learn(seen: SeenFile): void {
    const before = this.byPath.get(seen.path);
    const known = before?.digest === seen.digest ? before.lines : [];
    this.byPath.set(seen.path, { ...seen, lines: joined([...known, ...seen.lines]) });
  }

  /** Whether the model knows all of a text that is in the file now. */
  async knowsWhole(path: string, text: string): Promise<boolean> {
    const seen = this.byPath.get(path);
    return seen !== undefined && isWhole(seen) && seen.digest === (await textDigest(text));
  }

  /** Throws TellableFailure unless the model knows all that a new text of the whole file would replace; null: there is no file. */
  async checkReplaced(files: FileSystem, { absolute, shown }: ResolvedPath, before: string | null): Promise<void> {
    if (before === null) return;
    const seen = this.byPath.get(await files.realPath(absolute));
    if (!seen) throw new TellableFailure(neverRead(shown));
    if (seen.digest !== (await textDigest(before))) throw new TellableFailure(changedSince(shown));
    if (!isWhole(seen)) throw new TellableFailure(partlyRead(shown, seen));
  }
}

/** What a model knows of a file after these lines of its text. */
export async function seenLines(
  files: FileSystem,
  { absolute }: Pick<ResolvedPath, 'absolute'>,
  text: string,
  lines?: Ranges,
): Promise<SeenFile> {
  const of = textLines(text).length;
  const whole: Ranges = of === 0 ? [] : [[1, of]];
  return { path: await files.realPath(absolute), digest: await textDigest(text), lines: lines ?? whole, of };
}

function isWhole({ lines, of }: SeenFile): boolean {
  const [first] = lines;
  return of === 0 || (lines.length === 1 && first?.[0] === 1 && first[1] >= of);
}

function joined(ranges: Ranges): Ranges {
  const all: Ranges = [];
  for (const [first, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last && first <= last[1] + 1) last[1] = Math.max(last[1], end);
    else all.push([first, end]);
  }
  return all;
}

const NOTHING = 'nothing was written';
const IN_PARTS = 'or change a part of it with fs_edit';

function neverRead(shown: string): string {
  return `${shown} exists and you have not read it; ${NOTHING}. Read it first with fs_read, then write it, ${IN_PARTS}.`;
}

function changedSince(shown: string): string {
  return `${shown} was changed since you read it; ${NOTHING}. Read it again with fs_read, then write it, ${IN_PARTS}.`;
}

function partlyRead(shown: string, { lines, of }: SeenFile): string {
  const known = lines.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
  const read = known === '' ? 'none of its lines whole' : `of its ${of} lines only ${known}`;
  return `You have not read all of ${shown}, ${read}; ${NOTHING}. Read the rest with fs_read, or what it cuts with fs_cat, ${IN_PARTS}.`;
}
