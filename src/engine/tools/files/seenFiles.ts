import type { SeenFile } from '../../messages/attachment';
import type { Message } from '../../messages/message';
import type { FileSystem } from '../../ports';
import { textLines } from './readTextFile';
import type { ResolvedPath } from './resolvePath';

type Ranges = SeenFile['lines'];

/** The file contents that a session's model knows: what it last read or wrote of each file, and nothing that others changed since. */
export class SeenFiles {
  private readonly byPath = new Map<string, SeenFile>();

  /** Records what the results of calls showed, and what the user attached. */
  learnFrom(message: Message): void {
    if (message.role === 'tool') for (const { seen } of message.results) if (seen) this.learn(seen);
    if (message.role !== 'user') return;
    for (const part of message.parts)
      if (part.type === 'text' && part.attachment?.seen) this.learn(part.attachment.seen);
  }

  /** Parts of the same text add up; a different text discards what was known before. */
  learn(seen: SeenFile): void {
    const before = this.byPath.get(seen.path);
    const known = before?.digest === seen.digest ? before.lines : [];
    this.byPath.set(seen.path, { ...seen, lines: joined([...known, ...seen.lines]) });
  }

  /** The paths of all files, absolute and with links resolved, in the order in which they were first seen. */
  get paths(): string[] {
    return [...this.byPath.keys()];
  }

  /** `path` is absolute, with links resolved. */
  of(path: string): SeenFile | undefined {
    return this.byPath.get(path);
  }
}

function joined(ranges: Ranges): Ranges {
  const all: Ranges = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const last = all.at(-1);
    if (last && range.first <= last.last + 1) last.last = Math.max(last.last, range.last);
    else all.push({ ...range });
  }
  return all;
}

/** Returns what a model knows about a file after it has seen these lines of its text, or all of it. */
export async function seenLines(
  files: FileSystem,
  { absolute }: Pick<ResolvedPath, 'absolute'>,
  text: string,
  lines?: SeenFile['lines'],
): Promise<SeenFile> {
  const of = textLines(text).length;
  const whole = of === 0 ? [] : [{ first: 1, last: of }];
  return { path: await files.realPath(absolute), digest: await digestOf(files, text), lines: lines ?? whole, of };
}

/** Computes `SeenFile.digest` of a text. */
export async function digestOf(files: FileSystem, text: string): Promise<string> {
  if (files.digest) return files.digest(text);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
