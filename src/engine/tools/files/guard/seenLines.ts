import type { SeenFile } from '../../../messages/attachment';
import type { FileSystem } from '../../../ports';
import type { ResolvedPath } from '../resolvePath';
import { textLines } from '../textLines';

/** What a model knows of a file after these lines of its text, or all of it. */
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

/** What `SeenFile.digest` is of this text. */
export async function digestOf(files: FileSystem, text: string): Promise<string> {
  if (files.digest) return files.digest(text);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
