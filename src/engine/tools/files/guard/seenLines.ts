import { textDigest } from '../../../../base/textDigest';
import type { SeenFile } from '../../../messages/seenFile';
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
  return { path: await files.realPath(absolute), digest: await textDigest(text), lines: lines ?? whole, of };
}
