import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import { filesBelow, readConfigRoot } from '../content/filesBelow';
import { readYaml, yamlReady } from '../content/yamlSource';
import { holdsSecrets } from '../permissions/repositoryFile';
import {
  type FoundInstructions,
  type InstructionPlace,
  type Instructions,
  leftOut,
  pathMatcher,
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

/** For a pattern of files below a folder. */
const MOST_LEVELS = 6;
const WILD = /[*?{[]/;

const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;
/** A path after an at sign, such as `@docs/style.md`; also names of people and packages, for which no file is found. */
const IMPORT = /(?<![\w`@/.-])@((?:~\/)?[\w./-]*[\w/-])/g;

/**
 * Reads the files that `CLAUDE.md` or another such file imports with `@path`, and those that they import. What they say counts less
 * than the file itself, so they precede it. Only files of the workspace are read, and none that are protected; each left out is
 * reported.
 */
export async function importedInstructions(file: Instructions, place: InstructionPlace): Promise<FoundInstructions> {
  return collected(file.source, importsOf(file, place), place, MOST_HOPS);
}

/**
 * Reads the files that the settings of another tool name as instructions: `instructions` in OpenCode's, and `read` in Aider's. The
 * limits are those of imports. `config`: `.aider.conf.yml`, `opencode.json`, `opencode.jsonc`, or `.opencode`, which may have the
 * latter two.
 */
export async function configuredInstructions(config: string, place: InstructionPlace): Promise<FoundInstructions> {
  if (config === '.opencode') {
    const inside = ['.opencode/opencode.json', '.opencode/opencode.jsonc'];
    const both = await Promise.all(inside.map((one) => configuredInstructions(one, place)));
    return {
      instructions: both.flatMap(({ instructions }) => instructions),
      problems: both.flatMap(({ problems }) => problems),
    };
  }
  const { named, problems } = config.endsWith('.yml')
    ? await aiderFiles(config, place)
    : await openCodeFiles(config, place);
  const found = await collected(config, named, place, 1);
  return { instructions: found.instructions, problems: [...problems, ...found.problems] };
}

/** Reads files and, for the given number of hops, what they import. */
async function collected(
  source: string,
  named: readonly string[],
  place: InstructionPlace,
  hops: number,
): Promise<FoundInstructions> {
  const found: Instructions[] = [];
  const problems: string[] = [];
  const seen = new Set([source]);
  let left = MOST_CHARACTERS;
  let paths = named;
  for (let hop = 0; hop < hops && paths.length > 0; hop++) {
    const next: Instructions[] = [];
    for (const path of paths) {
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
    paths = next.flatMap((file) => importsOf(file, place));
  }
  return { instructions: found.reverse(), problems };
}

/** The paths that settings name, relative to the workspace, and what is wrong with them. */
interface Named {
  named: readonly string[];
  problems: readonly string[];
}

const textsSchema = z.lazy(() =>
  z.union([
    z.pipe(
      z.string(),
      z.transform((one) => [one]),
    ),
    z.array(z.string()),
  ]),
);

async function openCodeFiles(config: string, place: InstructionPlace): Promise<Named> {
  const { workspace, ports } = place;
  const folder = ports.paths.resolve(workspace, config);
  const read = await readConfigRoot({ folder, within: workspace, scope: 'workspace', world: 'opencode' }, ports);
  if (read?.data['instructions'] === undefined) return { named: [], problems: [] };
  const texts = textsSchema.safeParse(read.data['instructions']);
  if (!texts.success) return { named: [], problems: [leftOut(config, '“instructions” must be a list of paths.')] };
  const pages = texts.data.filter((one) => /^https?:/i.test(one));
  const others = texts.data.filter((one) => !pages.includes(one)).map(plainPath);
  const wide = others.filter((one) => one.startsWith('**/'));
  const variable = others.filter((one) => /\{(?:env|file):/.test(one));
  const problems = [
    ...pages.map((page) => leftOut(page, 'Cairn fetches no instructions. Put their text into a file.')),
    ...variable.map((one) => leftOut(one, 'Cairn fills no variables into paths.')),
    ...wide.map((one) => leftOut(one, 'it would search the whole workspace. Name a folder.')),
  ];
  const written = others.filter((one) => ![...wide, ...variable].includes(one)).slice(0, MOST_NAMES);
  const named = await Promise.all(written.map(async (one) => (WILD.test(one) ? matching(one, place) : [one])));
  return { named: named.flat(), problems };
}

async function aiderFiles(config: string, place: InstructionPlace): Promise<Named> {
  const { text, problems } = await readInstructionFile(config, place);
  await yamlReady(text);
  const { data } = readYaml(text, { path: config });
  const texts = textsSchema.safeParse(isRecord(data) ? (data['read'] ?? []) : []);
  return texts.success
    ? { named: texts.data.slice(0, MOST_NAMES).map(plainPath), problems }
    : { named: [], problems: [...problems, leftOut(config, '“read” must be a list of paths.')] };
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

/** Returns the files of the workspace that a pattern matches. */
async function matching(pattern: string, { workspace, ports: { files, paths } }: InstructionPlace): Promise<string[]> {
  const steps = pattern.split('/');
  const base = steps
    .slice(
      0,
      steps.findIndex((step) => WILD.test(step)),
    )
    .join('/');
  if (/^(?:\.\.|~|\/)/.test(base)) return [base];
  const levels = steps.includes('**') ? MOST_LEVELS : steps.length - base.split('/').length;
  const below = await filesBelow(paths.resolve(workspace, base || '.'), files, paths, { within: workspace, levels });
  const matches = await pathMatcher([pattern]);
  const found = below.map((path) => paths.relative(workspace, path)).filter(matches);
  return steps.length > 1 ? found : found.filter((path) => !path.includes('/'));
}

/** Returns the paths that a file imports, relative to the workspace, in the order of the text. */
function importsOf({ source, text }: Instructions, { workspace, ports: { paths } }: InstructionPlace): string[] {
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
  if (/^(?:(?:\.\.|~)(?:\/|$)|\/)/.test(path)) return nothing('they are not in the workspace.');
  const read = await readInstructionFile(path, place, ['is-directory']);
  return read.text !== '' && (await holdsSecrets(path)) ? nothing('the file is protected.') : read;
}
