import path from 'node:path';
import * as z from '../../../base/zod';
import type { ArchivePiece } from '../../../engine';
import type { Found, ImportItem, ReadSession } from '../importItem';
import { sessionLines } from '../sessionLines';
import type { SourceFolder } from '../sourceFolder';

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
export async function gooseSessions(source: SourceFolder, found: Found): Promise<void> {
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
