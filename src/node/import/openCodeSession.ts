import path from 'node:path';
import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { type ArchivePiece, EngineError } from '../../engine';
import type { Found, ImportItem, ReadSession } from './importItem';
import { ImportLedger } from './importLedger';
import { fewOf, issueText, readJsonFile } from './readData';
import { attempt } from './scanContent';
import type { SourceFolder } from './sourceFolder';

const MAX_PART_BYTES = 16 * 1024 * 1024;
const UNFINISHED = 'It had not ended when OpenCode last saved it.';

const time = z.catch(
  z.looseObject({ created: z.catch(z.number(), 0), updated: z.catch(z.optional(z.number()), undefined) }),
  {
    created: 0,
    updated: undefined,
  },
);
const sessionSchema = z.looseObject({
  title: z.nullish(z.string()),
  directory: z.nullish(z.string()),
  parentID: z.nullish(z.string()),
  time,
});
const messageSchema = z.looseObject({
  role: z.enum(['user', 'assistant']),
  time,
  modelID: z.nullish(z.string()),
  providerID: z.nullish(z.string()),
  agent: z.nullish(z.string()),
  mode: z.nullish(z.string()),
});
const partSchema = z.looseObject({
  type: z.string(),
  text: z.nullish(z.string()),
  synthetic: z.nullish(z.boolean()),
  filename: z.nullish(z.string()),
  callID: z.nullish(z.string()),
  tool: z.nullish(z.string()),
  state: z.nullish(
    z.looseObject({
      status: z.string(),
      input: z.optional(z.unknown()),
      output: z.nullish(z.string()),
      error: z.nullish(z.string()),
    }),
  ),
});
type Part = z.infer<typeof partSchema>;
type Message = z.infer<typeof messageSchema>;

/** Imports sessions of OpenCode 1, each stored as many small files. */
export async function openCodeSessions(source: SourceFolder, found: Found): Promise<void> {
  const projects = (await source.list('storage', 'session')).filter(({ kind }) => kind === 'folder');
  let ofSubAgents = 0;
  for (const { name: project } of projects) {
    for (const { name, kind } of await source.list('storage', 'session', project)) {
      if (kind !== 'file' || !name.endsWith('.json')) continue;
      await attempt(found, async () => {
        const parts = ['storage', 'session', project, name];
        const session = await readSession(source, parts);
        if (session.parentID) ofSubAgents++;
        else found.items.push(sessionItem(source, parts, session.title ?? name));
      });
    }
  }
  if (ofSubAgents === 0) return;
  const why = 'Conversations of sub-agents are not imported; their answers are in the sessions that started them.';
  const from = source.at('storage', 'session');
  found.items.push({
    kind: 'session',
    name: `${ofSubAgents} of sub-agents`,
    from,
    notes: [],
    content: { type: 'left', why },
  });
}

async function readSession(source: SourceFolder, parts: readonly string[]) {
  const file = await readJsonFile(source, parts);
  const parsed = sessionSchema.safeParse(file?.data);
  if (parsed.data) return parsed.data;
  throw new EngineError('invalid-input', `${source.at(...parts)} is not a session (${issueText(parsed.error)}).`);
}

function sessionItem(source: SourceFolder, parts: readonly string[], title: string): ImportItem {
  return {
    kind: 'session',
    name: title,
    from: source.at(...parts),
    content: { type: 'session', digest: () => digest(source, parts), read: () => read(source, parts) },
    notes: [],
  };
}

function idOf(parts: readonly string[]): string {
  return path.basename(parts.at(-1) ?? '', '.json');
}

/** The session's file changes whenever a message is added, so hashing it and the names of its messages suffices. */
async function digest(source: SourceFolder, parts: readonly string[]): Promise<string> {
  const messages = await source.list('storage', 'message', idOf(parts));
  return ImportLedger.digest([await source.digest(...parts), ...messages.map(({ name }) => name)]);
}

async function read(source: SourceFolder, parts: readonly string[]): Promise<ReadSession> {
  const session = await readSession(source, parts);
  const problems: string[] = [];
  const pieces: ArchivePiece[] = [];
  const id = idOf(parts);
  for (const { name, kind } of await source.list('storage', 'message', id)) {
    if (kind !== 'file' || !name.endsWith('.json')) continue;
    await told(problems, async () => {
      const place = ['storage', 'message', id, name];
      const message = messageSchema.safeParse((await readJsonFile(source, place))?.data).data;
      if (!message)
        throw new EngineError('invalid-input', `${source.at(...place)} is not a message, so it was left out.`);
      pieces.push(...piecesOf(message, await partsOf(source, path.basename(name, '.json'), problems)));
    });
  }
  const directory = session.directory ?? undefined;
  return {
    session: {
      tool: 'OpenCode',
      file: source.at(...parts),
      title: session.title ?? undefined,
      pieces,
      workspace: directory !== undefined && path.isAbsolute(directory) ? path.normalize(directory) : undefined,
      modifiedAt: session.time.updated ?? session.time.created,
    },
    problems: fewOf(problems),
  };
}

async function partsOf(source: SourceFolder, message: string, problems: string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const { name, kind } of await source.list('storage', 'part', message)) {
    if (kind !== 'file' || !name.endsWith('.json')) continue;
    await told(problems, async () => {
      const place = ['storage', 'part', message, name];
      const part = partSchema.safeParse((await readJsonFile(source, place, MAX_PART_BYTES))?.data).data;
      if (!part)
        throw new EngineError('invalid-input', `${source.at(...place)} is not part of a message, so it was left out.`);
      parts.push(part);
    });
  }
  return parts;
}

async function told(problems: string[], work: () => Promise<void>): Promise<void> {
  const found: Found = { items: [], problems };
  await attempt(found, work);
}

function piecesOf({ role, time: { created }, ...message }: Message, parts: readonly Part[]): ArchivePiece[] {
  if (role === 'user') {
    // Text that OpenCode adds itself, such as the contents of a file, was not written by the user.
    const texts = parts.flatMap((part) =>
      part.synthetic ? [] : [part.text ?? (part.filename ? `[${part.filename}]` : '')],
    );
    const text = texts.filter((one) => one !== '').join('\n');
    return text === '' ? [] : [{ type: 'user', time: created, text }];
  }
  const { providerID, modelID } = message;
  const model = modelID ? `${providerID ?? 'unknown'}:${modelID}` : undefined;
  const said = { time: created, model, agent: message.agent ?? message.mode ?? undefined };
  return parts.flatMap((part, at): ArchivePiece[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text ?? '', ...said }];
    if (part.type === 'reasoning') return [{ type: 'thinking', text: part.text ?? '', ...said }];
    const { state, tool } = part;
    if (part.type !== 'tool' || !state || !tool) return [];
    const id = part.callID ?? `${at}`;
    const text = state.status === 'error' ? (state.error ?? '') : (state.output ?? '');
    const call = { type: 'call' as const, id, name: tool, arguments: argumentsText(state.input), ...said };
    const result = { type: 'result' as const, time: created, callId: id };
    if (state.status === 'completed') return [call, { ...result, text, failed: false }];
    return [call, { ...result, text: state.status === 'error' ? text : UNFINISHED, failed: true }];
  });
}

function argumentsText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {});
  } catch (error) {
    return JSON.stringify({ left_out: errorText(error) });
  }
}
