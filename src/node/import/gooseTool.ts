import path from 'node:path';
import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import { type ArchivePiece, EngineError, PROVIDER_KEYS, yamlText } from '../../engine';
import type { Found, ImportItem, ReadSession } from './importItem';
import type { ImportTool, Places, ScanContext } from './importTool';
import { issueText, parsedYaml, readYamlFile, sessionLines } from './readData';
import { attempt, type Changed, filesIn } from './scanContent';
import { serverItems } from './serverItems';
import type { SourceFolder } from './sourceFolder';

/** Settings are in one folder, sessions in another. */
export const GOOSE: ImportTool = {
  id: 'goose',
  name: 'goose',
  folders: folders,
  owns: async (source) => {
    const names = new Set((await source.list()).map(({ name }) => name));
    if (path.basename(source.root) === 'goose' || names.has('.goosehints')) return true;
    const text = (await source.readText(['config.yaml']).catch(() => undefined))?.text ?? '';
    return /^(?:GOOSE_\w+|extensions):/m.test(text);
  },
  scan,
};

function folders({ home, env, platform }: Places): string[] {
  const [config, data, app] = [env['XDG_CONFIG_HOME'], env['XDG_DATA_HOME'], env['APPDATA']];
  if (platform === 'win32' && app) return ['config', 'data'].map((one) => path.join(app, 'Block', 'goose', one));
  return [
    path.join(config ? path.resolve(config) : path.join(home, '.config'), 'goose'),
    path.join(data ? path.resolve(data) : path.join(home, '.local', 'share'), 'goose'),
  ];
}

const configSchema = z.looseObject({
  GOOSE_PROVIDER: z.nullish(z.string()),
  GOOSE_MODEL: z.nullish(z.string()),
  extensions: z.optional(z.unknown()),
});
const TOLD = new Set(Object.keys(configSchema.def.shape));

async function scan(source: SourceFolder, context: ScanContext): Promise<Found> {
  const found: Found = { items: [], problems: [] };
  await attempt(found, () => settings(source, context, found));
  const change = (text: string, file: string) => recipeText(text, source.at('recipes', file));
  const what = { kind: 'agent', folder: 'agents', change } as const;
  await filesIn({ source, found, secrets: context.secrets }, ['recipes'], ['.yaml', '.yml'], what);
  for (let at = 0; at < found.items.length; at++) found.items[at] = asMarkdown(found.items[at]);
  await attempt(found, () => secrets(source, found));
  await attempt(found, () => gooseSessions(source, found));
  return found;
}

async function settings(source: SourceFolder, context: ScanContext, found: Found): Promise<void> {
  const file = await readYamlFile(source, ['config.yaml']);
  if (!file) return;
  const from = source.at('config.yaml');
  const parsed = configSchema.safeParse(file.yaml.data ?? {});
  if (!parsed.data) throw new EngineError('invalid-input', `${from}: ${issueText(parsed.error)}`);
  const { GOOSE_PROVIDER: provider, GOOSE_MODEL: model, extensions } = parsed.data;
  if (provider && model) {
    const isKnown = PROVIDER_KEYS.some(({ id }) => id === provider);
    const text = await yamlText({ model: `${provider}:${model}` });
    const why = `Cairn has no provider “${provider}”. Choose a model in Cairn.`;
    const content = isKnown
      ? ({ type: 'settings', text, secrets: new Map<string, string>(), aside: !context.isHome } as const)
      : left(why);
    found.items.push({ kind: 'settings', name: 'model', from, content, notes: [] });
  }
  const line = (id: string) => `${from}:${file.yaml.position(['extensions', id], 'key').line}`;
  await serverItems(withServers(extensions, line, found), { place: line, folder: source.root }, context, found);
  const others = Object.keys(parsed.data).filter((key) => !TOLD.has(key));
  if (others.length === 0) return;
  const content = left(`Cairn has settings of its own, so these were left out: ${others.join(', ')}.`);
  found.items.push({ kind: 'settings', name: 'config.yaml', from, content, notes: [] });
}

const extension = z.looseObject({ type: z.string() });
const SERVERS = new Set(['stdio', 'sse', 'streamable_http']);
/** Fields for how goose displays and runs an extension. */
const ITS_OWN = ['name', 'display_name', 'description', 'bundled', 'timeout', 'env_keys', 'available_tools'];

/** Keeps only extensions that are MCP servers; the others are part of goose itself. */
function withServers(extensions: unknown, line: (id: string) => string, found: Found): unknown {
  if (!isRecord(extensions) || Array.isArray(extensions)) return extensions;
  const servers = Object.entries(extensions).flatMap(([id, written]) => {
    const known = extension.safeParse(written).data;
    if (!known) return [[id, written]];
    if (!SERVERS.has(known.type)) {
      const content = left('It is built into goose.');
      found.items.push({ kind: 'server', name: id, from: line(id), content, notes: [] });
      return [];
    }
    const fields = Object.entries(known).filter(([key]) => !ITS_OWN.includes(key));
    const type = known.type === 'streamable_http' ? 'http' : known.type;
    return [[id, { ...Object.fromEntries(fields), type }]];
  });
  return Object.fromEntries(servers) as unknown;
}

const recipe = z.looseObject({
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  instructions: z.nullish(z.string()),
  prompt: z.nullish(z.string()),
  parameters: z.nullish(
    z.array(
      z.looseObject({
        key: z.string().check(z.regex(/^[A-Za-z_][\w-]*$/)),
        description: z.nullish(z.string()),
        default: z.nullish(z.union([z.string(), z.number(), z.boolean()])),
      }),
    ),
  ),
});

/** Converts a recipe to an agent: its prompt becomes a conversation starter, its parameters become variables. */
async function recipeText(text: string, file: string): Promise<Changed> {
  const parsed = recipe.safeParse((await parsedYaml(text, file)).data);
  if (!parsed.data) throw new EngineError('invalid-input', `${file} is no recipe (${issueText(parsed.error)}).`);
  const { title, description, instructions, prompt, parameters } = parsed.data;
  const known = new Set(Object.keys(recipe.def.shape));
  const other = Object.keys(parsed.data).filter((key) => !known.has(key) && key !== 'version');
  const variables = (parameters ?? []).map(({ key, description: what, default: value }) => ({
    name: key,
    description: what ?? key,
    ...(value !== null && value !== undefined && { default: value }),
  }));
  const ours = {
    description: description ?? title ?? '',
    ...(variables.length > 0 && { variables }),
    ...(prompt && { conversation_starters: [prompt.trim()] }),
  };
  const notes = other.length > 0 ? [`Left out, because it has no meaning here: ${other.join(', ')}.`] : [];
  const body = (instructions ?? prompt ?? '').replaceAll(/\{\{\s*(\w+)\s*\}\}/g, '{{$1}}');
  return { text: `---\n${await yamlText(ours)}---\n${body}\n`, notes: ['The recipe became an agent.', ...notes] };
}

function asMarkdown(item: ImportItem | undefined): ImportItem {
  if (!item) throw new Error('There is no such item.');
  if (item.content.type !== 'files') return item;
  const files = item.content.files.map((file) => ({ ...file, path: '.md' }));
  return { ...item, content: { ...item.content, files } };
}

/** Imports the secrets that goose stores in a file when no keyring is available. */
async function secrets(source: SourceFolder, found: Found): Promise<void> {
  const file = await readYamlFile(source, ['secrets.yaml']);
  const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).safeParse(file?.yaml.data ?? {});
  if (!values.data) {
    found.problems.push(`${source.at('secrets.yaml')} is not a map of secrets by name, so none were imported.`);
    return;
  }
  for (const [name, value] of Object.entries(values.data)) {
    const from = source.at('secrets.yaml');
    found.items.push({ kind: 'secret', name, from, content: { type: 'secret', value: String(value) }, notes: [] });
  }
}

function left(why: string) {
  return { type: 'left', why } as const;
}

const head = z.looseObject({ working_dir: z.string(), description: z.nullish(z.string()) });
const text = z.looseObject({ text: z.optional(z.string()) });
const answer = z.union([z.array(text), z.looseObject({ content: z.array(text) })]);
const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({
    type: z.literal('toolRequest'),
    id: z.string(),
    toolCall: z.looseObject({
      value: z.optional(z.looseObject({ name: z.string(), arguments: z._default(z.unknown(), {}) })),
    }),
  }),
  z.object({
    type: z.literal('toolResponse'),
    id: z.string(),
    toolResult: z.looseObject({
      status: z.nullish(z.string()),
      value: z.catch(z.optional(answer), undefined),
      error: z.optional(z.unknown()),
    }),
  }),
  z.looseObject({ type: z.string() }),
]);
const message = z.looseObject({ role: z.enum(['user', 'assistant']), created: z.number(), content: z.array(block) });

/** Imports goose sessions from before it used a database: a metadata line, then one line per message. */
async function gooseSessions(source: SourceFolder, found: Found): Promise<void> {
  for (const { name, kind } of await source.list('sessions')) {
    if (kind === 'file' && name.endsWith('.jsonl')) found.items.push(sessionItem(source, name));
    if (name !== 'sessions.db') continue;
    const why = 'Cairn does not read the database of newer versions. Export sessions with goose session export.';
    const item = { kind: 'session', name, from: source.at('sessions', name), notes: [] } as const;
    found.items.push({ ...item, content: { type: 'left', why } });
  }
}

function sessionItem(source: SourceFolder, name: string): ImportItem {
  const place = ['sessions', name];
  return {
    kind: 'session',
    name: name.replace(/\.jsonl$/, ''),
    from: source.at(...place),
    notes: [],
    content: { type: 'session', digest: () => source.digest(...place), read: () => read(source, place) },
  };
}

async function read(source: SourceFolder, place: readonly string[]): Promise<ReadSession> {
  const pieces: ArchivePiece[] = [];
  let about: z.infer<typeof head> | undefined;
  let time = 0;
  const problems = await sessionLines(source, place, (value) => {
    about ??= head.safeParse(value).data;
    const said = message.safeParse(value).data;
    if (!said) return;
    time = said.created * 1000;
    pieces.push(...piecesOf(said, time));
  });
  const modifiedAt = time || ((await source.stat(...place))?.modifiedAt ?? 0);
  const folder = about?.working_dir;
  const workspace = folder !== undefined && path.isAbsolute(folder) ? path.normalize(folder) : undefined;
  const title = about?.description ?? undefined;
  return { session: { tool: 'goose', file: source.at(...place), title, workspace, modifiedAt, pieces }, problems };
}

type Block = z.infer<typeof block>;
type Of<T extends string> = Extract<Block, { type: T }>;
const isText = (one: Block): one is Of<'text'> => one.type === 'text' && 'text' in one;
const isThinking = (one: Block): one is Of<'thinking'> => one.type === 'thinking' && 'thinking' in one;
const isCall = (one: Block): one is Of<'toolRequest'> => one.type === 'toolRequest' && 'toolCall' in one;
const isResult = (one: Block): one is Of<'toolResponse'> => one.type === 'toolResponse' && 'toolResult' in one;

function piecesOf({ role, content }: z.infer<typeof message>, time: number): ArchivePiece[] {
  const said = { time, agent: 'goose' };
  const words = content.filter(isText).map((one) => one.text);
  const asked = words.join('\n');
  const person: ArchivePiece[] = role === 'user' && asked !== '' ? [{ type: 'user', time, text: asked }] : [];
  const others = content.flatMap((one): ArchivePiece[] => {
    if (isText(one)) return role === 'user' ? [] : [{ type: 'text', text: one.text, ...said }];
    if (isThinking(one)) return [{ type: 'thinking', text: one.thinking, ...said }];
    if (isCall(one)) {
      const { name = 'unknown', arguments: given = {} } = one.toolCall.value ?? {};
      return [{ type: 'call', id: one.id, name, arguments: JSON.stringify(given), ...said }];
    }
    return isResult(one) ? [{ type: 'result', time, callId: one.id, ...resultOf(one) }] : [];
  });
  return [...others, ...person];
}

function resultOf({ toolResult: { status, value, error } }: Of<'toolResponse'>): { text: string; failed: boolean } {
  const parts = Array.isArray(value) ? value : (value?.content ?? []);
  const told = parts.map((one) => one.text ?? '[what is no text is in the original]').join('\n');
  const failed = status === 'error';
  const why = typeof error === 'string' ? error : JSON.stringify(error ?? '');
  return { text: failed && told === '' ? why : told, failed };
}
