import { safeLine, safeText } from '../base/shown/safeText';
import {
  type AnyTool,
  type Engine,
  EngineError,
  type EngineSettings,
  type Named,
  problemLine,
  takenName,
  type ToolSource,
} from '../engine';
import type { EffectiveValue } from '../node/config/effectiveConfig';
import { jsonText, type OutputStreams } from './output';
import type { ListChoice, OutputChoice } from './parseArguments';

/** Where to look for the listed items. */
export interface ListPlace {
  /** The source of tools from outside the engine. */
  toolsBeside: ToolSource;
  settings: EngineSettings;
  folder: string;
  isTrusted: boolean;
}

/** One line of a list, as cells and as data. */
interface Listed {
  cells: readonly string[];
  data: Readonly<Record<string, unknown>>;
}

/** Returns one line per item, in tab-separated columns, or a list as JSON. */
export async function listThings(
  choice: ListChoice,
  engine: Engine,
  place: ListPlace,
  output: OutputChoice,
): Promise<string> {
  const rows = await rowsOf(choice, engine, place);
  if (output === 'text') return table(rows.map(({ cells }) => cells));
  const data = rows.map((row) => row.data);
  return `${jsonText(data, 2)}\n`;
}

/** What to say beside a list without items. */
export function emptyListText(choice: ListChoice): string {
  if (choice === 'commands') return 'there are no commands yet. Create one as .cairn/commands/NAME.md.';
  return choice === 'sessions' ? 'there are no sessions in this folder yet.' : `there are no ${choice}.`;
}

async function rowsOf(choice: ListChoice, engine: Engine, place: ListPlace): Promise<Listed[]> {
  switch (choice) {
    case 'agents': {
      const all = await engine.agents.all();
      const shown = (await engine.agents.list()).filter(({ hidden }) => !hidden);
      return shown.map((agent) => named(agent, all, { mode: agent.mode }));
    }
    case 'roles':
      return described(await engine.roles.list(), await engine.roles.all());
    case 'skills':
      return described(await engine.skills.list(), await engine.skills.all());
    case 'commands': {
      const prompts = await engine.typed.prompts.all();
      return (await engine.typed.prompts.list()).map((one) => {
        const { cells, data } = named(one, prompts, { hint: one.hint });
        return { cells: [`/${one.name}`, ...cells.slice(1)], data };
      });
    }
    case 'models':
      return (await engine.models()).map(({ model, provider, ready, needsKey, scripted }) => ({
        cells: [
          model.id,
          scripted ? 'scripted demo, no API key needed' : ready ? 'ready' : needsKey ? 'no key' : 'not running',
          provider,
        ],
        data: { id: model.id, provider, ready, needsKey, scripted },
      }));
    case 'tools':
      return (await toolsIn(engine, place)).map((tool) => {
        const { name, category, description } = tool;
        const from = bringerOf(tool);
        return {
          cells: [name, from, category, firstSentence(description)],
          data: { name, from, category, description },
        };
      });
    case 'sessions': {
      const sessions = (await engine.sessions.list()).filter(({ workspace }) => workspace === place.folder);
      return sessions.map(({ id, modifiedAt, name, title }) => {
        const modified = new Date(modifiedAt).toISOString();
        return { cells: [id, modified, name ?? '-', title], data: { id, modified, name, title } };
      });
    }
  }
}

/** Returns every tool that any agent could have in this folder, without starting anything. */
async function toolsIn(
  { tools }: Engine,
  { toolsBeside, settings, folder, isTrusted }: ListPlace,
): Promise<readonly AnyTool[]> {
  const anybody = { agent: '', folder: null, isOfWorkspace: false, variables: new Map(), names: () => true };
  const { tools: scripts, servers } = settings;
  const place = { workspace: folder, isHeard: isTrusted, scripts };
  const others = await toolsBeside.toolsFor(place, () => servers.on, anybody);
  return [...tools.all, ...others.tools.filter(({ name }) => !tools.names.includes(name))];
}

/** Returns where a tool comes from, and who may use it if that is not everyone. */
function bringerOf({ traits: { kind, servers = [], isOfWorkspace, isOnRequest } = {} }: AnyTool): string {
  if (kind === 'mcp') return servers.length === 0 ? 'MCP server' : `MCP server ${servers.join(', ')}`;
  if (kind === 'scripts') return isOfWorkspace ? 'script of this folder' : 'your script';
  return isOnRequest ? 'Cairn, for those who name it' : 'Cairn';
}

function described(items: readonly (Named & { description: string })[], all: readonly Named[]): Listed[] {
  return items.map((item) => named(item, all));
}

/** Adds the item's source, and the source of the item of the same name that it replaces. */
function named(
  item: Named & { description: string },
  all: readonly Named[],
  more: Readonly<Record<string, string>> = {},
): Listed {
  const { name, description } = item;
  const { scope: source } = item.source;
  const replaces = takenName(item, all) ?? null;
  const whose = replaces === null ? source : `${source}, replaces ${replaces}`;
  return {
    cells: [name, ...Object.values(more), whose, firstSentence(description)],
    data: { name, ...more, source, replaces, description },
  };
}

function table(rows: readonly (readonly string[])[]): string {
  // The first cell is the name, which users type to run it.
  const shown = (cell: string, at: number) => safeText(cell, at === 0 ? 'exact' : 'prose').replace(/\s+/g, ' ');
  const line = (row: readonly string[]) => row.map(shown).join('\t');
  return rows.map((row) => `${line(row)}\n`).join('');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}

/** Reports files that are missing from a list because they are broken. */
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
  settings: readonly EffectiveValue[];
}

/** Returns locations and settings, one per line or as JSON. */
export async function infoText(
  engine: Engine,
  { version, config, folder, approve, settings }: InfoFacts,
  output: OutputChoice,
): Promise<string> {
  const models = await engine.models();
  const ready = [...new Set(models.filter((one) => one.ready && !one.scripted).map(({ provider }) => provider))];
  const sessions = (await engine.sessions.list()).filter(({ workspace }) => workspace === folder).length;
  const model = await engine.defaultModel().catch(noModel);
  const tools = engine.tools.all.length;
  if (output !== 'text') {
    const facts = { version, node: process.version, folder, configuration: config, model };
    const told = { ...facts, providersWithKey: ready, approve, tools, sessionsOfFolder: sessions };
    return `${jsonText({ ...told, settings }, 2)}\n`;
  }
  const rows: readonly (readonly [string, string])[] = [
    ['version', version],
    ['node', process.version],
    ['folder', folder],
    ['configuration', config],
    ['model', model ?? 'none (set a key; demo:tour needs none, but must be named)'],
    ['providers with a key', ready.length > 0 ? ready.join(', ') : 'none'],
    ['approve', approve],
    ['tools', String(tools)],
    ['sessions of the folder', String(sessions)],
  ];
  const lines: readonly (readonly string[])[] = [...rows, ...settings.map(settingCells)];
  return lines.map((cells) => `${cells.map((cell) => safeLine(cell, 1000, 'exact')).join('\t')}\n`).join('');
}

/** Builds `setting NAME`, its value, where it was set, and what it overrides. */
function settingCells({ name, value, from, overrides }: EffectiveValue): string[] {
  return [`setting ${name}`, value, from, ...overrides.map((one) => `overrides ${one.value} (${one.from})`)];
}

/** Returns null when there is no key. */
function noModel(error: unknown): null {
  if (EngineError.is(error, 'no-key')) return null;
  throw error;
}
