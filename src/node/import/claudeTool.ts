import path from 'node:path';
import { splitFrontMatter } from '../../base/frontMatter';
import * as z from '../../base/zod';
import { CLAUDE_TOOLS, commandPatterns, EngineError, nameList, type PermissionRule, yamlText } from '../../engine';
import { claudeSession } from './claudeSession';
import type { Found, ImportItem } from './importItem';
import type { ImportTool, ScanContext } from './importTool';
import { issueText, type JsonFile, parsedYaml, readJsonFile } from './readData';
import { attempt, type Changed, type ContentScan, filesIn, folderItem, toldWhereItIs } from './scanContent';
import { serverItems } from './serverItems';
import { SourceFolder } from './sourceFolder';

const STATE = '.claude.json';
/** The file contains the servers and also the history of every folder. */
const MAX_STATE_BYTES = 32 * 1024 * 1024;

export const CLAUDE: ImportTool = {
  id: 'claude',
  name: 'Claude Code',
  folders: ({ home, env }) => {
    const named = env['CLAUDE_CONFIG_DIR'];
    return [named ? path.resolve(named) : path.join(home, '.claude')];
  },
  owns: async (source) => {
    const names = new Set((await source.list()).map(({ name }) => name));
    return path.basename(source.root) === '.claude' || names.has('projects') || names.has(STATE);
  },
  scan,
};

async function scan(source: SourceFolder, context: ScanContext): Promise<Found> {
  const found: Found = { items: [], problems: [] };
  const scanned = { source, found, secrets: context.secrets };
  await content(scanned, context.isHome);
  for (const name of ['settings.json', 'settings.local.json']) {
    await attempt(found, () => settings(source, name, context, found));
  }
  await attempt(found, () => servers(source, context, found));
  await attempt(found, () => sessions(source, found));
  return found;
}

async function content(scanned: ContentScan, isHome: boolean): Promise<void> {
  const { source, found } = scanned;
  if (isHome) {
    await toldWhereItIs(scanned, 'agent', 'agents', (one) => one.endsWith('.md'));
    await toldWhereItIs(scanned, 'skill', 'skills', (one) => one.split('/').length === 2 && one.endsWith('/SKILL.md'));
  } else {
    const change = (text: string, file: string) => claudeAgentText(text, source.at('agents', file));
    await filesIn(scanned, ['agents'], ['.md'], { kind: 'agent', folder: 'agents', change });
    await attempt(found, async () => {
      for (const { name, kind } of await source.list('skills')) {
        if (kind === 'folder') await folderItem(scanned, ['skills', name], name, { kind: 'skill', folder: 'skills' });
      }
    });
  }
  await filesIn(scanned, ['commands'], ['.md'], { kind: 'command', folder: 'commands' });
}

const settingsSchema = z.looseObject({ env: z.optional(z.record(z.string(), z.string())) });
/** Settings reported elsewhere or of no interest. */
const TOLD = new Set(['permissions', 'env', '$schema']);

async function settings(source: SourceFolder, name: string, context: ScanContext, found: Found): Promise<void> {
  const file = await readJsonFile(source, [name]);
  if (!file) return;
  const parsed = settingsSchema.safeParse(file.data);
  if (!parsed.data) throw new EngineError('invalid-input', `${source.at(name)}: ${issueText(parsed.error)}`);
  claudeRules(file, found);
  for (const [variable, value] of Object.entries(parsed.data.env ?? {})) {
    const from = file.place(['env', variable]);
    const taken = context.secrets.ofItem('claude');
    if (taken.value(variable, value) === value) {
      const why = 'To use it here, set it in your shell or in .env in Cairn’s own folder.';
      found.items.push({ kind: 'settings', name: variable, from, content: { type: 'left', why }, notes: [] });
    } else found.items.push({ kind: 'secret', name: variable, from, content: { type: 'secret', value }, notes: [] });
  }
  const others = Object.keys(parsed.data).filter((key) => !TOLD.has(key));
  if (others.length === 0) return;
  const content = {
    type: 'left',
    why: `Cairn has settings of its own, so these were left out: ${others.join(', ')}.`,
  } as const;
  found.items.push({ kind: 'settings', name, from: source.at(name), content, notes: [] });
}

const stateSchema = z.looseObject({
  mcpServers: z.optional(z.unknown()),
  projects: z.catch(z.optional(z.record(z.string(), z.looseObject({ mcpServers: z.optional(z.unknown()) }))), {}),
});

/** Imports the servers in `.claude.json`, which is next to the folder, or inside it if the folder was configured explicitly. */
async function servers(source: SourceFolder, context: ScanContext, found: Found): Promise<void> {
  const beside = path.basename(source.root) === '.claude' ? [path.dirname(source.root)] : [];
  for (const folder of [source.root, ...beside]) {
    const place = await SourceFolder.open(folder, source.signal);
    const file = await place?.list().then((all) => all.some(({ name, kind }) => name === STATE && kind === 'file'));
    if (!place || !file) continue;
    const state = await readJsonFile(place, [STATE], MAX_STATE_BYTES);
    const data = stateSchema.safeParse(state?.data).data;
    if (!state || !data) continue;
    const at = { place: (id: string) => state.place(['mcpServers', id]), folder };
    await serverItems(data.mcpServers, at, context, found);
    for (const [project, { mcpServers }] of Object.entries(data.projects ?? {})) {
      const before = found.items.length;
      const own = (id: string) => state.place(['projects', project, 'mcpServers', id]);
      await serverItems(mcpServers, { place: own, folder: path.resolve(folder, project) }, context, found);
      for (let at = before; at < found.items.length; at++) found.items[at] = ofProject(found.items[at], project);
    }
  }
}

function ofProject(item: ImportItem | undefined, project: string): ImportItem {
  if (!item) throw new Error('There is no such item.');
  return { ...item, notes: [...item.notes, `It applied only to ${project}, and now applies to every folder.`] };
}

async function sessions(source: SourceFolder, found: Found): Promise<void> {
  let ofSubAgents = 0;
  for (const { name, kind } of await source.list('projects')) {
    if (kind !== 'folder') continue;
    for (const file of await source.list('projects', name)) {
      if (file.kind !== 'file' || !file.name.endsWith('.jsonl')) continue;
      if (file.name.startsWith('agent-')) ofSubAgents++;
      else found.items.push(claudeSession(source, ['projects', name, file.name]));
    }
  }
  if (ofSubAgents === 0) return;
  const why = 'Conversations of sub-agents are not imported; their answers are in the sessions that started them.';
  const item = {
    kind: 'session',
    name: `${ofSubAgents} of sub-agents`,
    from: source.at('projects'),
    notes: [],
  } as const;
  found.items.push({ ...item, content: { type: 'left', why } });
}

const fields = z.looseObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  tools: z.optional(z.nullable(nameList)),
  disallowedTools: z.optional(z.nullable(nameList)),
  model: z.optional(z.string()),
  maxTurns: z.optional(z.int().check(z.positive())),
  skills: z.optional(z.nullable(nameList)),
});
const USED = new Set(Object.keys(fields.def.shape));

/** Converts a Claude Code agent to a Cairn agent, whose tools and models have other names. */
async function claudeAgentText(text: string, path: string): Promise<Changed> {
  const { head, headLine, body } = splitFrontMatter(text);
  if (head === null)
    throw new EngineError('invalid-input', `${path}:1: it has no front matter, so it is not an agent.`);
  const yaml = await parsedYaml(head, path, headLine);
  const parsed = fields.safeParse(yaml.data);
  if (!parsed.data) throw new EngineError('invalid-input', `${path}:${headLine}: ${issueText(parsed.error)}`);
  const { description, tools, disallowedTools, model, maxTurns, skills } = parsed.data;
  const notes: string[] = [];
  const denied = ourTools(disallowedTools ?? [], notes);
  const chosen = model !== undefined && /^claude-\S+$/.test(model) ? `anthropic:${model}` : undefined;
  if (model !== undefined && chosen === undefined && model !== 'inherit') {
    notes.push(`It uses its caller’s model: “${model}” is a name that only Claude Code knows.`);
  }
  const other = Object.keys(parsed.data).filter((key) => !USED.has(key));
  if (other.length > 0) notes.push(`Left out, because it has no meaning here: ${other.join(', ')}.`);
  const ours = {
    ...(description !== undefined && { description }),
    mode: 'subagent',
    ...(chosen !== undefined && { model: chosen }),
    ...(maxTurns !== undefined && { max_turns: maxTurns }),
    ...(tools && { tools: ourTools(tools, notes) }),
    ...(denied.length > 0 && { permission: Object.fromEntries(denied.map((tool) => [tool, 'deny'])) }),
    ...(skills && skills.length > 0 && { skills }),
  };
  return { text: `---\n${await yamlText(ours)}---\n${body}`, notes: ['Its tools were renamed to Cairn’s.', ...notes] };
}

function ourTools(names: readonly string[], notes: string[]): string[] {
  const found = names.flatMap((written) => {
    const name = (written.endsWith(')') ? written.replace(/\([^]*$/, '') : written).trim();
    if (name.startsWith('mcp__')) return [name];
    const known = Object.hasOwn(CLAUDE_TOOLS, name) ? CLAUDE_TOOLS[name] : undefined;
    if (!known) notes.push(`Its tool “${name}” was left out: Cairn has no equivalent.`);
    return known ?? [];
  });
  return [...new Set(found)];
}

const words = z.catch(z.array(z.string()), []);
const permissionsSchema = z.object({ allow: words, ask: words, deny: words });

/** Claude Code tool → Cairn tool or category, and what the text in parentheses refers to. */
const TOOLS: Readonly<Record<string, { tool: string; about: 'command' | 'path' | 'host' }>> = {
  Bash: { tool: 'category:execute', about: 'command' },
  Read: { tool: 'category:read', about: 'path' },
  Edit: { tool: 'category:write', about: 'path' },
  MultiEdit: { tool: 'category:write', about: 'path' },
  Write: { tool: 'category:write', about: 'path' },
  WebFetch: { tool: 'category:network', about: 'host' },
};

/** Imports rules that ask or deny. Rules that allow are only reported, so that the user re-creates the intended ones. */
function claudeRules(file: JsonFile, found: Found): void {
  const data = z.looseObject({ permissions: z.optional(z.unknown()) }).safeParse(file.data).data;
  if (data?.permissions === undefined) return;
  const parsed = permissionsSchema.safeParse(data.permissions);
  if (!parsed.data) {
    found.problems.push(
      `${file.place(['permissions'])}: “permissions” must be an object, so none of its rules were imported.`,
    );
    return;
  }
  for (const action of ['ask', 'deny'] as const) {
    parsed.data[action].forEach((written, at) => {
      const from = file.place(['permissions', action, at]);
      const rules = rulesOf(written, action);
      const name = `${action} ${written}`;
      if (rules.length > 0)
        found.items.push({ kind: 'rule', name, from, content: { type: 'rules', rules }, notes: [] });
      else found.items.push(left(name, from, 'Cairn has no equivalent rule.'));
    });
  }
  parsed.data.allow.forEach((written, at) => {
    const why = 'Rules that allow are not imported. Choose “Always” when Cairn asks.';
    found.items.push(left(`allow ${written}`, file.place(['permissions', 'allow', at]), why));
  });
}

function left(name: string, from: string, why: string): Found['items'][number] {
  return { kind: 'rule', name, from, content: { type: 'left', why }, notes: [] };
}

function rulesOf(written: string, action: 'ask' | 'deny'): PermissionRule[] {
  const [, name = '', inner] = /^([\w-]+)(?:\((.*)\))?$/s.exec(written.trim()) ?? [];
  const because = 'Imported from Claude Code.';
  if (name.startsWith('mcp__')) return inner === undefined ? [{ tool: mcpPattern(name), action, because }] : [];
  const known = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!known) return [];
  const { tool, about } = known;
  const pattern = inner?.trim() ?? '';
  if (pattern === '' || pattern === '*') return [{ tool, action, because }];
  switch (about) {
    case 'command':
      return commandPatterns(pattern.replace(/:\*$/, ' *'), action).map((argument) => ({
        tool,
        argument,
        action,
        because,
      }));
    case 'path':
      return [{ tool, argument: { kind: 'path', pattern: pathPattern(pattern) }, action, because }];
    case 'host': {
      const host = /^domain:([\w.*-]+)$/.exec(pattern)?.[1];
      return host === undefined ? [] : [{ tool, argument: { kind: 'host', pattern: host }, action, because }];
    }
  }
}

/** Converts a path pattern: `//etc/x` is absolute, other paths keep their meaning. */
function pathPattern(pattern: string): string {
  return pattern.startsWith('//') ? pattern.slice(1) : pattern.replace(/^\.\//, '');
}

/** Converts an MCP tool name. A server alone means all its tools. */
function mcpPattern(name: string): string {
  return name.split('__').length === 2 ? `${name}__*` : name;
}
