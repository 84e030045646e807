import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { errorText } from '../base/errors';
import { safeLine } from '../base/shown/safeText';
import {
  contentRoots,
  FOUND_KINDS,
  INSTRUCTION_CONFIGS,
  INSTRUCTION_FILES,
  PLUGIN_MARKS,
  RULE_FOLDERS,
  SERVER_FILES,
  WORKSPACE_TOOL_FOLDER,
} from '../engine';
import { errorCode } from '../node/fileError';
import { nodePaths, resolveLinks } from '../node/nodePaths';
import { writeAtomically } from '../node/writeAtomically';
import { UsageError } from './exitStatus';
import type { Terminal } from './terminal';

interface TrustQuestion {
  /** Absolute path. */
  folder: string;
  /** Cairn's folder, where answers are saved. */
  configFolder: string;
  /** Whether `--trust` was given. It applies to this run only. */
  isNamed: boolean;
  /** The terminal to prompt on; undefined when there is no user. */
  screen: Terminal | undefined;
  /** Tells the user what was left out. */
  say: (line: string) => void;
}

/**
 * Whether a folder's instruction files, agents, skills, roles and MCP servers may be used. Text from someone else's repository
 * steers a model, so it is read only once the user trusts the folder or one of its parents. A user at a terminal is asked unless
 * the folder is already trusted, and a yes is saved. Throws UsageError when the file with the answers is broken.
 */
export async function folderTrust({ folder, configFolder, isNamed, screen, say }: TrustQuestion): Promise<boolean> {
  if (isNamed) return true;
  const file = join(configFolder, 'trusted-folders.json');
  const real = resolveLinks(folder);
  const trusted = await readTrusted(file);
  if (trusted.some((one) => isInside(real, one))) return true;
  const found = whatSpeaks(folder);
  // There is nothing to read now, and what the agent itself adds later does not speak for the user either.
  if (found.length === 0) return false;
  const list = found.join(', ');
  if (screen && (await asks(screen, real, list))) {
    await writeAtomically(file, Buffer.from(`${JSON.stringify({ folders: [...trusted, real] }, null, 2)}\n`));
    return true;
  }
  say(
    `cairn: this folder is not trusted, so ${list} ${found.length === 1 ? 'is' : 'are'} not read. --trust reads them.`,
  );
  return false;
}

async function asks(screen: Terminal, folder: string, list: string): Promise<boolean> {
  screen.say('');
  screen.say(`${safeLine(folder, 1000, 'exact')} has instructions for agents: ${list}.`);
  screen.say('Trust a folder only if you trust whoever wrote what is in it. Your answer is remembered.');
  const answer = await screen.ask('Trust this folder? (y/N) ', new AbortController().signal);
  return /^y(es)?$/i.test(answer ?? '');
}

/** Returns the paths in a folder that are meant for agents, relative to it. */
function whatSpeaks(folder: string): string[] {
  const places = { workspaceFolders: [folder] };
  const roots = FOUND_KINDS.flatMap((kind) => contentRoots(kind, places, nodePaths()));
  const files = [
    ...INSTRUCTION_FILES,
    ...INSTRUCTION_CONFIGS,
    ...RULE_FOLDERS,
    ...SERVER_FILES,
    WORKSPACE_TOOL_FOLDER,
    ...PLUGIN_MARKS,
  ].map((name) => join(folder, name));
  const found = [...new Set([...files, ...roots.map((root) => root.folder)])].filter(existsSync);
  return found.map((path) => relative(folder, path));
}

function isInside(folder: string, trusted: string): boolean {
  const way = relative(trusted, folder);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('..\\') || /^[a-z]:/i.test(way));
}

async function readTrusted(file: string): Promise<readonly string[]> {
  try {
    return foldersIn(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    const why = errorText(error);
    throw new UsageError(`${file} cannot be read (${why}). Correct it, or delete it and trust your folders again.`);
  }
}

function foldersIn(value: unknown): readonly string[] {
  const folders: unknown =
    typeof value === 'object' && value !== null && 'folders' in value ? value.folders : undefined;
  if (Array.isArray(folders) && folders.every((one) => typeof one === 'string')) return folders;
  throw new Error('it must be {"folders": [paths]}');
}
