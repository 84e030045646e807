import path from 'node:path';
import { nearest } from '../../base/matching';
import { EngineError } from '../../engine';
import { hiddenValues } from '../secretVariables';
import { CLAUDE } from './claudeTool';
import { AICHAT, COYOTE } from './coyoteTool';
import { GEMINI } from './geminiTool';
import { GOOSE } from './gooseTool';
import type { Found } from './importItem';
import type { ImportTool, Places } from './importTool';
import { OPENCODE } from './openCodeTool';
import { SecretsOut } from './secretsOut';
import { SourceFolder } from './sourceFolder';

/** In report order. */
const IMPORT_TOOLS: readonly ImportTool[] = [COYOTE, AICHAT, CLAUDE, OPENCODE, GEMINI, GOOSE];

/** An existing folder of another tool. */
export interface ImportSource {
  tool: ImportTool;
  source: SourceFolder;
  /** Whether it is the tool's default location. */
  isHome: boolean;
}

export interface ScannedSource {
  found: Found;
  strike: (text: string) => string;
}

/** Finds the folders of all supported tools on this machine. Unreadable folders are reported as problems. */
export async function sourcesHere(
  places: Places,
  signal: AbortSignal,
): Promise<{ sources: ImportSource[]; problems: string[] }> {
  const sources: ImportSource[] = [];
  const problems: string[] = [];
  for (const tool of IMPORT_TOOLS) {
    for (const folder of tool.folders(places)) {
      try {
        const source = await SourceFolder.open(folder, signal);
        if (source) sources.push({ tool, source, isHome: true });
      } catch (error) {
        if (!EngineError.is(error)) throw error;
        problems.push(error.message);
      }
    }
  }
  return { sources, problems };
}

/**
 * Finds the sources the user names: a tool, `TOOL:FOLDER`, or a folder whose tool is detected from its files. Rejects with
 * EngineError `not-found`, or `invalid-input` for a folder of no known tool.
 */
export async function sourcesNamed(named: string, places: Places, signal: AbortSignal): Promise<ImportSource[]> {
  const known = IMPORT_TOOLS.find(({ id }) => id === named.toLowerCase());
  if (known) {
    const { sources } = await sourcesHere(places, signal);
    const own = sources.filter(({ tool }) => tool === known);
    if (own.length > 0) return own;
    throw new EngineError(
      'not-found',
      `${known.name} was not found here; its folder would be ${known.folders(places).join(' or ')}.`,
    );
  }
  const [, id, given = named] = /^([a-z0-9-]+):(.+)$/s.exec(named) ?? [];
  const told = IMPORT_TOOLS.find((tool) => tool.id === id);
  const folder = path.resolve(told ? given : named);
  const source = await SourceFolder.open(folder, signal);
  if (!source) throw noSuch(named, folder);
  if (folder === path.resolve(places.own)) {
    throw new EngineError('invalid-input', `${folder} is Cairn’s own folder. Choose the folder of another tool.`);
  }
  if (told) return [{ tool: told, source, isHome: isHome(told, source, places) }];
  // Coyote's folder is the hardest to recognize, so it is tried last.
  for (const tool of [...IMPORT_TOOLS].reverse()) {
    if (await tool.owns(source)) return [{ tool, source, isHome: isHome(tool, source, places) }];
  }
  const ids = IMPORT_TOOLS.map((tool) => tool.id).join(', ');
  throw new EngineError(
    'invalid-input',
    `${folder} does not look like a tool that Cairn imports from. Say which one: TOOL:${named}, with TOOL one of ${ids}.`,
  );
}

/** Scans a source for everything to import. The secrets in `env` are redacted in sessions as well. */
export async function scanSource(
  { tool, source, isHome }: ImportSource,
  env: NodeJS.ProcessEnv,
): Promise<ScannedSource> {
  const secrets = new SecretsOut(hiddenValues(env));
  const found = await tool.scan(source, { secrets, isHome });
  return { found, strike: secrets.strike() };
}

function isHome(tool: ImportTool, source: SourceFolder, places: Places): boolean {
  return tool.folders(places).some((folder) => path.resolve(folder) === source.root);
}

function noSuch(named: string, folder: string): EngineError {
  const ids = IMPORT_TOOLS.map(({ id }) => id);
  const meant = nearest(named, ids);
  const hint = meant === undefined ? `Name a folder, or one of ${ids.join(', ')}.` : `Did you mean ${meant}?`;
  return new EngineError('not-found', `There is no folder ${folder}. ${hint}`);
}
