import path from 'node:path';
import { readDotEnv } from '../../base/dotEnv';
import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import { type ArchivePiece, EngineError } from '../../engine';
import type { Found, ImportItem, ReadSession } from './importItem';
import type { ImportTool, ScanContext } from './importTool';
import { fewOf, issueText, readJsonFile } from './readData';
import { attempt, folderItem, toldWhereItIs } from './scanContent';
import { serverItems } from './serverItems';
import type { SourceFolder } from './sourceFolder';

const ELSEWHERE = 'Cairn reads them below .gemini/commands of a workspace, or of your home folder. Copy them there.';
const TOLD = new Set(['mcpServers', '$schema']);

export const GEMINI: ImportTool = {
  id: 'gemini',
  name: 'Gemini CLI',
  folders: ({ home, env }) => {
    const named = env['GEMINI_CLI_HOME'];
    return [path.join(named ? path.resolve(named) : home, '.gemini')];
  },
  owns: async (source) => {
    const names = new Set((await source.list()).map(({ name }) => name));
    return path.basename(source.root) === '.gemini' || (names.has('GEMINI.md') && names.has('settings.json'));
  },
  scan,
};

async function scan(source: SourceFolder, context: ScanContext): Promise<Found> {
  const found: Found = { items: [], problems: [] };
  const scanned = { source, found, secrets: context.secrets };
  await attempt(found, () => settings(source, context, found));
  await attempt(found, async () => {
    for (const { name, kind } of await source.list('skills')) {
      if (kind === 'folder') await folderItem(scanned, ['skills', name], name, { kind: 'skill', folder: 'skills' });
    }
  });
  await toldWhereItIs(
    scanned,
    'command',
    'commands',
    (one) => one.endsWith('.toml'),
    context.isHome ? undefined : ELSEWHERE,
  );
  await attempt(found, async () => {
    const { text = '' } = (await source.readText(['.env'])) ?? {};
    for (const [name, value] of readDotEnv(text)) {
      if (value === '') continue;
      const item = { kind: 'secret', name, from: source.at('.env'), notes: [] } as const;
      found.items.push({ ...item, content: { type: 'secret', value } });
    }
  });
  await attempt(found, () => geminiSessions(source, found));
  return found;
}

const schema = z.looseObject({ mcpServers: z.optional(z.unknown()) });

async function settings(source: SourceFolder, context: ScanContext, found: Found): Promise<void> {
  const file = await readJsonFile(source, ['settings.json']);
  if (!file) return;
  const parsed = schema.safeParse(file.data);
  if (!parsed.data) throw new EngineError('invalid-input', `${source.at('settings.json')}: ${issueText(parsed.error)}`);
  const at = { place: (id: string) => file.place(['mcpServers', id]), folder: source.root };
  await serverItems(withTypes(parsed.data.mcpServers), at, context, found);
  const others = Object.keys(parsed.data).filter((key) => !TOLD.has(key));
  if (others.length === 0) return;
  const why = `Cairn has settings of its own, so these were left out: ${others.join(', ')}.`;
  const item = { kind: 'settings', name: 'settings.json', from: source.at('settings.json'), notes: [] } as const;
  found.items.push({ ...item, content: { type: 'left', why } });
}

/** Adds transport types: in Gemini CLI a bare `url` means the older transport, and `httpUrl` the newer one. */
function withTypes(servers: unknown): unknown {
  if (!isRecord(servers) || Array.isArray(servers)) return servers;
  const typed = Object.entries(servers).map(([id, server]) => {
    const isOld = isRecord(server) && server['url'] !== undefined && server['type'] === undefined;
    return [id, isOld ? { ...server, type: 'sse' } : server];
  });
  return Object.fromEntries(typed) as unknown;
}

const MAX_BYTES = 64 * 1024 * 1024;

const part = z.union([z.string(), z.looseObject({ text: z.optional(z.string()) })]);
const parts = z.union([part, z.array(part)]);
const callSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  args: z._default(z.unknown(), {}),
  status: z.nullish(z.string()),
  result: z.optional(z.unknown()),
  resultDisplay: z.optional(z.unknown()),
});
const messageSchema = z.looseObject({
  type: z.string(),
  timestamp: z.nullish(z.string()),
  content: z.catch(parts, ''),
  model: z.nullish(z.string()),
  thoughts: z.catch(
    z.nullish(z.array(z.looseObject({ subject: z.nullish(z.string()), description: z.nullish(z.string()) }))),
    null,
  ),
  toolCalls: z.catch(z.nullish(z.array(z.unknown())), null),
});
const sessionSchema = z.looseObject({
  lastUpdated: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  messages: z.array(z.unknown()),
});
const responses = z.array(
  z.looseObject({
    functionResponse: z.looseObject({
      response: z.looseObject({ output: z.optional(z.unknown()), error: z.optional(z.unknown()) }),
    }),
  }),
);

/** Imports sessions from `tmp/PROJECT/chats/session-….json`. */
async function geminiSessions(source: SourceFolder, found: Found): Promise<void> {
  for (const { name: project, kind } of await source.list('tmp')) {
    if (kind !== 'folder') continue;
    await attempt(found, async () => {
      for (const { name, kind: of } of await source.list('tmp', project, 'chats')) {
        if (of === 'file' && name.endsWith('.json')) found.items.push(sessionItem(source, project, name));
      }
    });
  }
}

function sessionItem(source: SourceFolder, project: string, name: string): ImportItem {
  const place = ['tmp', project, 'chats', name];
  return {
    kind: 'session',
    name: `${project.slice(0, 12)}/${name.replace(/\.json$/, '')}`,
    from: source.at(...place),
    notes: [],
    content: { type: 'session', digest: () => source.digest(...place), read: () => read(source, project, place) },
  };
}

async function read(source: SourceFolder, project: string, place: readonly string[]): Promise<ReadSession> {
  const file = source.at(...place);
  const found = await readJsonFile(source, place, MAX_BYTES);
  const parsed = sessionSchema.safeParse(found?.data);
  if (!found || !parsed.data) {
    throw new EngineError(
      'invalid-input',
      `${file} is not a session (${parsed.error ? issueText(parsed.error) : 'it is gone'}).`,
    );
  }
  const pieces: ArchivePiece[] = [];
  const problems: string[] = [];
  let time = 0;
  parsed.data.messages.forEach((one, at) => {
    const message = messageSchema.safeParse(one).data;
    if (!message) {
      problems.push(`${found.place(['messages', at])}: this is not a message, so it was left out.`);
      return;
    }
    time = Date.parse(message.timestamp ?? '') || time || found.modifiedAt;
    pieces.push(...piecesOf(message, time));
  });
  const modifiedAt = Date.parse(parsed.data.lastUpdated ?? '') || time || found.modifiedAt;
  const workspace = await rootOf(source, project);
  const title = parsed.data.summary ?? undefined;
  return { session: { tool: 'Gemini CLI', file, title, workspace, modifiedAt, pieces }, problems: fewOf(problems) };
}

/** Returns the project's root. Newer versions store it in a file; older ones only name the folder after a hash of it. */
async function rootOf(source: SourceFolder, project: string): Promise<string | undefined> {
  const text = (await source.readText(['tmp', project, '.project_root']))?.text.trim();
  return text !== undefined && path.isAbsolute(text) && !text.includes('\n') ? path.normalize(text) : undefined;
}

function piecesOf(message: z.infer<typeof messageSchema>, time: number): ArchivePiece[] {
  const text = textOf(message.content);
  if (message.type === 'user') return text === '' ? [] : [{ type: 'user', time, text }];
  // Messages from the program to the user are not part of the conversation.
  if (message.type !== 'gemini') return [];
  const said = { time, model: message.model ? `gemini:${message.model}` : undefined, agent: 'gemini-cli' };
  const thoughts = (message.thoughts ?? []).map(({ subject, description }): ArchivePiece => ({
    type: 'thinking',
    ...said,
    text: [subject, description].filter((one) => one).join('\n'),
  }));
  const calls = (message.toolCalls ?? []).flatMap((one) => callSchema.safeParse(one).data ?? []);
  return [
    ...thoughts,
    { type: 'text', text, ...said },
    ...calls.map(({ id, name, args }) => ({
      type: 'call' as const,
      id,
      name,
      arguments: JSON.stringify(args),
      ...said,
    })),
    ...calls.map((call) => ({
      type: 'result' as const,
      time,
      callId: call.id,
      failed: call.status !== 'success',
      text: resultText(call),
    })),
  ];
}

function textOf(content: z.infer<typeof parts>): string {
  const all = Array.isArray(content) ? content : [content];
  return all.map((one) => (typeof one === 'string' ? one : (one.text ?? ''))).join('');
}

function resultText({ result, resultDisplay }: z.infer<typeof callSchema>): string {
  const [first] = responses.safeParse(result).data ?? [];
  const told = first?.functionResponse.response;
  const value = told?.output ?? told?.error ?? resultDisplay ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
