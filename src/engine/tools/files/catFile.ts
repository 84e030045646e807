import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { missingPath } from './missingPath';
import { readTextFile } from './readTextFile';
import { resolvePath } from './resolvePath';
import { seenLines } from './guard/seenFiles';
import { textLines } from './textLines';

const MAX_CHARACTERS = 100_000;

const input = z.strictObject({ path: z.string().check(z.minLength(1)) });
type Input = z.infer<typeof input>;

/** `fs_cat`: a whole text file as it is. */
export function catFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'fs_cat',
    description: 'Returns a whole text file unchanged, without line numbers.',
    category: 'read',
    traits: { kind: 'files', doing: 'Reading', counted: 'file', isUnlisted: true },
    input,
    title: ({ path }) => `Read all of ${path}`,
    permission: ({ path }) => ({ tool: 'fs_cat', category: 'read', paths: [path] }),
    async run({ path }, { workspace }) {
      const resolved = resolvePath(paths, workspace, path);
      const file = await readTextFile(files, resolved);
      if (!file) throw await missingPath(files, paths, workspace, resolved, 'file');
      const { shown } = resolved;
      const text = file.text.slice(0, MAX_CHARACTERS);
      const lines = textLines(text).length;
      return {
        text: text === '' ? `${shown} is empty.` : text + restOf(file.text, text, lines),
        detail: { kind: 'file', path: shown, firstLine: 1, lastLine: lines, text },
        seen: await seenLines(files, resolved, file.text, text === file.text ? undefined : range(1, lines - 1)),
      };
    },
  });
}

function range(first: number, last: number): { first: number; last: number }[] {
  return last < first ? [] : [{ first, last }];
}

function restOf(whole: string, shown: string, lines: number): string {
  const left = whole.length - shown.length;
  return left > 0
    ? `\n... ${left} characters left out. Read on with fs_read and offset ${shown.endsWith('\n') ? lines + 1 : lines}.`
    : '';
}
