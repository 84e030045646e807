import { errorText } from '../../base/errors';
import { type UnseenLine, unseenLines } from '../../base/shown/safeText';
import { truncateMiddle } from '../../base/truncate';
import { EngineError, type EngineErrorReason } from '../engineError';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import { decodeText } from '../tools/files/formats/textFile';

/** Instructions of a workspace for working in it. */
export interface Instructions {
  /** Path relative to the workspace; in a folder other than the first, an absolute one. */
  source: string;
  text: string;
  /** Whether it is the user's own, for every workspace; the source is then a path in their home. */
  isPersonal?: true;
}

export interface FoundInstructions {
  instructions: readonly Instructions[];
  /** Why files were left out, and which invisible text they contain, one sentence each. */
  problems: readonly string[];
}

/** A trusted workspace, and the means to read its files. */
export interface InstructionPlace {
  /** Absolute path. */
  workspace: string;
  ports: { files: FileSystem; paths: PathStyle };
}

/** Limit per file. */
const MAX_CHARACTERS = 24_000;

/** Shortens instructions to the limit per file. */
export function shortened(text: string): string {
  return truncateMiddle(text, MAX_CHARACTERS).text;
}

/** Keeps the last of those with the same text: many repositories have one text under several names, as copies or links. */
export function withoutCopies(all: readonly Instructions[]): Instructions[] {
  return all.filter(({ text }, at) => all.findLastIndex((other) => other.text === text) === at);
}

/** The user's own files for every workspace, in the home folder, in the order of those in a workspace. */
const PERSONAL = [
  '.config/goose/.goosehints',
  '.codeium/windsurf/memories/global_rules.md',
  '.gemini/GEMINI.md',
  '.claude/CLAUDE.md',
  '.codex/AGENTS.md',
  '.config/opencode/AGENTS.md',
];

/** Reasons to treat a file as missing. */
const NONE = ['not-found', 'not-directory'] as const;

/**
 * Reads an instruction file, given relative to the workspace. Returns an empty text if it does not exist, is empty, or cannot be
 * used; the problems give the reason and report invisible text. `none`: further reasons to treat the file as missing.
 */
export async function readInstructionFile(
  source: string,
  { workspace, ports }: InstructionPlace,
  none: readonly EngineErrorReason[] = [],
): Promise<{ text: string; problems: string[] }> {
  try {
    return readableText(source, await readRepositoryFile(ports.paths.resolve(workspace, source), workspace, ports));
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const isNone = [...NONE, ...none].some((reason) => reason === error.reason);
    return { text: '', problems: isNone ? [] : [leftOut(source, errorText(error))] };
  }
}

/** Reads the user's own files for every workspace, as far as there are any. */
export async function readPersonal(home: string, ports: InstructionPlace['ports']): Promise<FoundInstructions> {
  const found = await Promise.all(PERSONAL.map((name) => readOwn(home, name, ports)));
  return {
    instructions: withoutCopies(found.flatMap(({ instructions }) => instructions)),
    problems: found.flatMap(({ problems }) => problems),
  };
}

async function readOwn(
  home: string,
  name: string,
  { files, paths }: InstructionPlace['ports'],
): Promise<FoundInstructions> {
  const source = `~/${name}`;
  try {
    const { text, problems } = readableText(source, await files.readFile(paths.resolve(home, name)));
    return { instructions: text === '' ? [] : [{ source, text: shortened(text), isPersonal: true }], problems };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const isNone = NONE.some((reason) => reason === error.reason);
    return { instructions: [], problems: isNone ? [] : [leftOut(source, errorText(error))] };
  }
}

function readableText(source: string, bytes: Uint8Array): { text: string; problems: string[] } {
  const text = decodeText(bytes)?.text;
  if (text === undefined) return { text: '', problems: [leftOut(source, 'the file is not text.')] };
  const [unseen] = unseenLines(text);
  return { text: text.trim(), problems: unseen ? [unseenText(source, unseen)] : [] };
}

/** Describes text in a file that the model reads but people cannot see. */
function unseenText(source: string, { line, marks }: UnseenLine): string {
  return `Line ${line} of ${source} contains text that models read but people cannot see: ${marks}. Check it before you go on.`;
}

/**
 * Returns those of the names that a folder of the workspace has. `AGENT.md` is the former name of `AGENTS.md`, which replaces it.
 * Returns all if the folder cannot be listed; reading them then reports the reason.
 */
export async function namesIn(
  folder: string,
  names: readonly string[],
  { workspace, ports }: InstructionPlace,
): Promise<readonly string[]> {
  try {
    const entries = await ports.files.readDirectory(ports.paths.resolve(workspace, folder));
    // Some file systems ignore case.
    const present = new Set(entries.map(({ name }) => name.toLowerCase()));
    return names.filter((name) => {
      const [first = ''] = name.toLowerCase().split('/');
      return present.has(first) && !(name === 'AGENT.md' && present.has('agents.md'));
    });
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    return names;
  }
}

/** Matches paths relative to the workspace. Patterns that cannot be read match nothing. */
export async function pathMatcher(patterns: readonly string[]): Promise<(relative: string) => boolean> {
  const { pathGlob } = await import('../../base/pathGlob');
  const each = patterns.flatMap((written) => {
    const pattern = written.replace(/^\.?\//, '');
    return pathGlob(pattern.includes('/') ? pattern : `**/${pattern}`) ?? [];
  });
  return (relative) => each.some((isMatch) => isMatch(relative));
}

/** Reports instructions that are not used. */
export function leftOut(source: string, why: string): string {
  return `The instructions in ${source} were left out: ${why}`;
}
