import { safeLine, safeText } from '../base/shown/safeText';
import { type AnyTool, type Engine, EngineError, type Named, problemLine, takenName, type ToolSource } from '../engine';
import type { OutputStreams } from './output';
import type { ListChoice } from './parseArguments';

/** Where things are looked for. */
export interface ListPlace {
  /** What brings tools beside the engine. */
  toolsBeside: ToolSource;
  folder: string;
  isTrusted: boolean;
}

/** One line for each, in columns that a script can split at tabs. */
export async function listThings(choice: ListChoice, engine: Engine, place: ListPlace): Promise<string> {
  switch (choice) {
    case 'agents': {
      const all = await engine.agents.all();
      return table(
        (await engine.agents.list())
          .filter(({ hidden }) => !hidden)
          .map((agent) => [agent.name, agent.mode, whose(agent, all), firstSentence(agent.description)]),
      );
    }
    case 'roles':
      return described(await engine.roles.list(), await engine.roles.all());
    case 'skills':
      return described(await engine.skills.list(), await engine.skills.all());
    case 'commands': {
      const prompts = await engine.typed.prompts.all();
      return table(
        (await engine.typed.prompts.list()).map((one) => [
          ...[`/${one.name}`, one.hint, whose(one, prompts), firstSentence(one.description)],
        ]),
      );
    }
    case 'models':
      return table(
        (await engine.models()).map(({ model, provider, ready, needsKey, scripted }) => [
          model.id,
          scripted ? 'scripted demo, no API key needed' : ready ? 'ready' : needsKey ? 'no key' : 'not running',
          provider,
        ]),
      );
    case 'tools':
      return table(
        (await toolsIn(engine, place)).map((tool) => [
          tool.name,
          bringerOf(tool),
          tool.category,
          firstSentence(tool.description),
        ]),
      );
    case 'sessions': {
      const sessions = (await engine.sessions.list()).filter(({ workspace }) => workspace === place.folder);
      return table(
        sessions.map(({ id, modifiedAt, name, title }) => [id, new Date(modifiedAt).toISOString(), name ?? '-', title]),
      );
    }
  }
}

/** Every tool that some agent could have there; nothing is started for it. */
async function toolsIn({ tools }: Engine, { toolsBeside, folder, isTrusted }: ListPlace): Promise<readonly AnyTool[]> {
  const anybody = { agent: '', folder: null, isOfWorkspace: false, variables: new Map(), names: () => true };
  const others = await toolsBeside.toolsFor({ workspace: folder, isHeard: isTrusted }, () => true, anybody);
  return [...tools.all, ...others.tools.filter(({ name }) => !tools.names.includes(name))];
}

/** Who brings it, and who has it where that is not everyone. */
function bringerOf({ traits: { kind, servers = [], isOfWorkspace, isOnRequest } = {} }: AnyTool): string {
  if (kind === 'mcp') return servers.length === 0 ? 'MCP server' : `MCP server ${servers.join(', ')}`;
  if (kind === 'scripts') return isOfWorkspace ? 'script of this folder' : 'your script';
  return isOnRequest ? 'Cairn, for those who name it' : 'Cairn';
}

function described(items: readonly (Named & { description: string })[], all: readonly Named[]): string {
  return table(items.map((item) => [item.name, whose(item, all), firstSentence(item.description)]));
}

/** Who brought it, and whose of the same name it replaces. */
function whose(item: Named, all: readonly Named[]): string {
  const taken = takenName(item, all);
  return taken === undefined ? item.source.scope : `${item.source.scope}, replaces ${taken}`;
}

function table(rows: readonly (readonly string[])[]): string {
  // The first is the name, by which it would be started.
  const shown = (cell: string, at: number) => safeText(cell, at === 0 ? 'exact' : 'prose').replace(/\s+/g, ' ');
  const line = (row: readonly string[]) => row.map(shown).join('\t');
  return rows.map((row) => `${line(row)}\n`).join('');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}

/** Says which files are missing from a list because they are broken, so that nobody looks for them in vain. */
export async function tellBrokenFiles(choice: ListChoice, engine: Engine, { err }: OutputStreams): Promise<void> {
  if (choice !== 'agents' && choice !== 'roles' && choice !== 'skills' && choice !== 'commands') return;
  const problems = await (choice === 'commands' ? engine.typed.prompts : engine[choice]).problems();
  for (const problem of problems.filter(({ severity }) => severity === 'error')) err(`${problemLine(problem)}\n`);
}

interface InfoFacts {
  version: string;
  config: string;
  folder: string;
  approve: string;
  /** Name, value, where it was said, and what that overrides. */
  settings: readonly (readonly string[])[];
}

/** Where things are and what is set, a line each. */
export async function infoText(
  engine: Engine,
  { version, config, folder, approve, settings }: InfoFacts,
): Promise<string> {
  const models = await engine.models();
  const ready = [...new Set(models.filter((one) => one.ready && !one.scripted).map(({ provider }) => provider))];
  const rows: readonly (readonly [string, string])[] = [
    ['version', version],
    ['node', process.version],
    ['folder', folder],
    ['configuration', config],
    ['model', await engine.defaultModel().catch(noModel)],
    ['providers with a key', ready.length > 0 ? ready.join(', ') : 'none'],
    ['approve', approve],
    ['tools', String(engine.tools.all.length)],
    [
      'sessions of the folder',
      String((await engine.sessions.list()).filter(({ workspace }) => workspace === folder).length),
    ],
  ];
  const lines: readonly (readonly string[])[] = [...rows, ...settings];
  return lines.map((cells) => `${cells.map((cell) => safeLine(cell, 1000, 'exact')).join('\t')}\n`).join('');
}

function noModel(error: unknown): string {
  if (EngineError.is(error, 'no-key')) return 'none (set a key; demo:tour needs none, but must be named)';
  throw error;
}
