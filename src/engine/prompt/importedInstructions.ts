import { holdsSecrets } from '../permissions/repositoryFile';
import type { PathStyle } from '../ports';
import {
  type FoundInstructions,
  type InstructionPlace,
  type Instructions,
  leftOut,
  readInstructionFile,
  shortened,
} from './instructions';

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
  place: InstructionPlace,
): Promise<FoundInstructions> {
  const found: Instructions[] = [];
  const problems: string[] = [];
  const seen = new Set([source]);
  let left = MOST_CHARACTERS;
  let files: readonly Instructions[] = [{ source, text }];
  for (let hop = 0; hop < MOST_HOPS && files.length > 0; hop++) {
    const next: Instructions[] = [];
    for (const path of files.flatMap((file) => importsOf(file, place.workspace, place.ports.paths))) {
      if (seen.has(path)) continue;
      seen.add(path);
      const read = await readImport(path, place);
      const said = shortened(read.text);
      if (said !== '' && (found.length + next.length === MOST_FILES || said.length > left)) {
        problems.push(`${path}, which ${source} imports, was left out: its imports are too many or too long.`);
        continue;
      }
      problems.push(...read.problems);
      if (said === '') continue;
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

/** Reads an imported file. The name of a folder, or of nothing, is no import. */
async function readImport(path: string, place: InstructionPlace): ReturnType<typeof readInstructionFile> {
  const nothing = (why: string) => ({ text: '', problems: [leftOut(path, why)] });
  if (/^(\.\.|~)(\/|$)/.test(path)) return nothing('they are not in the workspace.');
  const read = await readInstructionFile(path, place, ['is-directory']);
  return read.text !== '' && (await holdsSecrets(path)) ? nothing('the file is protected.') : read;
}
