import path from 'node:path';
import * as z from '../../base/zod';
import type { ArchivePiece } from '../../engine';
import type { ImportItem, ReadSession } from './importItem';
import { sessionLines } from './readData';
import type { SourceFolder } from './sourceFolder';

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.optional(z.unknown()),
    is_error: z.nullish(z.boolean()),
  }),
  z.looseObject({ type: z.string() }),
]);
type Block = z.infer<typeof block>;

const count = z._default(z.nullable(z.int().check(z.nonnegative())), 0);
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});

/** Fields of the lines that matter. There are many other kinds, which vary between versions. */
const line = z.object({
  type: z.string(),
  timestamp: z.nullish(z.string()),
  cwd: z.nullish(z.string()),
  isSidechain: z.nullish(z.boolean()),
  isMeta: z.nullish(z.boolean()),
  summary: z.nullish(z.string()),
  customTitle: z.nullish(z.string()),
  aiTitle: z.nullish(z.string()),
  message: z.nullish(
    z.object({
      model: z.nullish(z.string()),
      content: z.union([z.string(), z.array(block)]),
      usage: z.catch(z.nullish(usage), null),
    }),
  ),
});
type Line = z.infer<typeof line>;

/** Imports a Claude Code session: a file of JSON lines. */
export function claudeSession(source: SourceFolder, parts: readonly string[]): ImportItem {
  const [project = '', file = ''] = parts.slice(-2);
  return {
    kind: 'session',
    name: `${project}/${file.replace(/\.jsonl$/, '').slice(0, 8)}`,
    from: source.at(...parts),
    content: { type: 'session', digest: () => source.digest(...parts), read: () => read(source, parts) },
    notes: [],
  };
}

async function read(source: SourceFolder, parts: readonly string[]): Promise<ReadSession> {
  const file = source.at(...parts);
  const reader = new ClaudeLines();
  const problems = await sessionLines(source, parts, (value) => reader.add(value));
  const { title, workspace, pieces } = reader;
  const modifiedAt = reader.lastTime || ((await source.stat(...parts))?.modifiedAt ?? 0);
  return { session: { tool: 'Claude Code', file, title, workspace, modifiedAt, pieces }, problems };
}

class ClaudeLines {
  readonly pieces: ArchivePiece[] = [];
  title: string | undefined;
  workspace: string | undefined;
  lastTime = 0;

  add(value: unknown): void {
    const parsed = line.safeParse(value).data;
    if (!parsed) return;
    this.title = parsed.customTitle ?? this.title ?? parsed.aiTitle ?? parsed.summary ?? undefined;
    const { message, cwd, type } = parsed;
    // Messages of subagents are not part of this conversation, and those Claude Code adds itself were not written by anyone.
    if (!message || parsed.isSidechain || parsed.isMeta || (type !== 'user' && type !== 'assistant')) return;
    if (this.workspace === undefined && cwd && path.isAbsolute(cwd)) this.workspace = path.normalize(cwd);
    const time = Date.parse(parsed.timestamp ?? '');
    if (time > this.lastTime) this.lastTime = time;
    const blocks =
      typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
    if (type === 'user') this.addUser(blocks);
    else this.addReply(blocks, message);
  }

  private addUser(blocks: readonly Block[]): void {
    const time = this.lastTime;
    const words: string[] = [];
    for (const one of blocks) {
      if (isResult(one)) {
        const { tool_use_id: callId, is_error: failed, content } = one;
        this.pieces.push({ type: 'result', time, callId, text: resultText(content), failed: failed === true });
      } else words.push(textOf(one));
    }
    const text = words.filter((one) => one !== '').join('\n');
    if (text !== '') this.pieces.push({ type: 'user', time, text });
  }

  private addReply(blocks: readonly Block[], { model, usage: used }: NonNullable<Line['message']>): void {
    const inputTokens = used
      ? (used.input_tokens ?? 0) + (used.cache_read_input_tokens ?? 0) + (used.cache_creation_input_tokens ?? 0)
      : 0;
    const said = {
      time: this.lastTime,
      model: model?.startsWith('claude') ? `anthropic:${model}` : (model ?? undefined),
      agent: 'claude-code',
      ...(used && {
        usage: {
          inputTokens,
          outputTokens: used.output_tokens ?? 0,
          cachedInputTokens: used.cache_read_input_tokens ?? 0,
        },
      }),
    };
    for (const one of blocks) {
      if (isCall(one)) {
        const { id, name, input } = one;
        this.pieces.push({ type: 'call', id, name, arguments: JSON.stringify(input ?? {}), ...said });
      } else if (isThinking(one)) this.pieces.push({ type: 'thinking', text: one.thinking, ...said });
      else this.pieces.push({ type: 'text', text: textOf(one), ...said });
    }
  }
}

type Of<T extends string> = Extract<Block, { type: T }>;
const isResult = (one: Block): one is Of<'tool_result'> => one.type === 'tool_result' && 'tool_use_id' in one;
const isCall = (one: Block): one is Of<'tool_use'> => one.type === 'tool_use' && 'input' in one;
const isThinking = (one: Block): one is Of<'thinking'> => one.type === 'thinking' && 'thinking' in one;

function textOf(one: Block): string {
  if ('text' in one && typeof one.text === 'string') return one.text;
  return one.type === 'image' ? '[a picture, which is in the original]' : '';
}

const results = z.union([z.string(), z.array(block)]);

function resultText(content: unknown): string {
  const known = results.safeParse(content ?? '').data;
  if (known === undefined) return JSON.stringify(content);
  return typeof known === 'string' ? known : known.map(textOf).join('\n');
}
