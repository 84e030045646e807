import { errorText } from '../../base/errors';
import { unseenLines } from '../../base/shown/safeText';
import { truncateMiddle } from '../../base/truncate';
import { EngineError } from '../engineError';
import { holdsSecrets, readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import { type FoundInstructions, type Instructions, unseenText } from './instructions';

/** As in Claude Code. */
const MOST_HOPS = 5;
const MOST_FILES = 20;
/** Limit for all files that one file imports, directly or not. */
const MOST_CHARACTERS = 48_000;

/** Per file; a file that mentions more is no list of instructions. */
const MOST_NAMES = 100;

const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;
/** A path after an at sign, such as `@docs/style.md`; also names of people and packages, for which no file is found. */
const IMPORT = /(?<![\w`@/.-])@((?:~\/)?[\w./-]*[\w/-])/g;

/**
 * Reads the files that `CLAUDE.md` or `GEMINI.md` imports with `@path`, and those that they import. What they say counts less than
 * the file itself, so they precede it. Only files of the workspace are read, and none that are protected; each left out is reported.
 */
export async function importedInstructions(
  { source, text }: Instructions,
  workspace: string,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<FoundInstructions> {
  const found: Instructions[] = [];
  const problems: string[] = [];
  const seen = new Set([source]);
  let left = MOST_CHARACTERS;
  let files: readonly Instructions[] = [{ source, text }];
  for (let hop = 0; hop < MOST_HOPS && files.length > 0; hop++) {
    const next: Instructions[] = [];
    for (const path of files.flatMap((file) => importsOf(file, workspace, ports.paths))) {
      if (seen.has(path)) continue;
      seen.add(path);
      const read = await readImport(path, workspace, ports);
      if (!read) continue;
      if ('leftOut' in read) {
        problems.push(`The imported instructions in ${path} were left out: ${read.leftOut}`);
        continue;
      }
      const { text: said } = truncateMiddle(read.text, MOST_CHARACTERS / 2);
      if (found.length + next.length === MOST_FILES || said.length > left) {
        problems.push(`${path}, which ${source} imports, was left out: its imports are too many or too long.`);
        continue;
      }
      const [unseen] = unseenLines(read.text);
      if (unseen) problems.push(unseenText(path, unseen));
      left -= said.length;
      next.push({ source: path, text: said });
    }
    found.push(...next);
    files = next;
  }
  return { instructions: found.reverse(), problems };
}

/** Returns the paths that a file imports, relative to the workspace, in the order of the text. */
function importsOf({ source, text }: Instructions, workspace: string, paths: PathStyle): string[] {
  const folder = paths.dirname(paths.resolve(workspace, source));
  const named = new Set(Array.from(text.replace(CODE, '').matchAll(IMPORT), ([, path = '']) => path));
  return [...named]
    .filter((path) => !path.startsWith('/'))
    .slice(0, MOST_NAMES)
    .map((path) => (path.startsWith('~') ? path : paths.relative(workspace, paths.resolve(folder, path))));
}

/** Returns what a file says, or why it is left out; undefined if there is no such file, or nothing in it. */
async function readImport(
  path: string,
  workspace: string,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<{ text: string } | { leftOut: string } | undefined> {
  if (/^(\.\.|~)(\/|$)/.test(path)) return { leftOut: 'they are not in the workspace.' };
  try {
    const bytes = await readRepositoryFile(ports.paths.resolve(workspace, path), workspace, ports);
    if (await holdsSecrets(path)) return { leftOut: 'the file is protected.' };
    if (bytes.includes(0)) return { leftOut: 'the file is not text.' };
    const text = new TextDecoder().decode(bytes).trim();
    return text === '' ? undefined : { text };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const isNone = ['not-found', 'not-directory', 'is-directory'].some((reason) => error.reason === reason);
    return isNone ? undefined : { leftOut: errorText(error) };
  }
}
