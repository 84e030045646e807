import * as z from '../../../base/zod';
import { type ArchivePiece, EngineError } from '../../../engine';
import type { ImportItem, ReadSession } from '../importItem';
import { fewOf, issueText, readYamlFile } from '../readData';
import type { SourceFolder } from '../sourceFolder';

/** YAML is read whole. */
const MAX_BYTES = 8 * 1024 * 1024;

const toolResult = z.object({
  call: z.object({ name: z.string(), arguments: z._default(z.unknown(), {}), id: z.nullish(z.string()) }),
  output: z._default(z.unknown(), null),
});
const part = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([
    z.string(),
    z.array(part),
    z.object({ tool_results: z.array(toolResult), text: z._default(z.nullable(z.string()), '') }),
  ]),
});
type Message = z.infer<typeof message>;
const session = z.looseObject({
  model: z.nullish(z.string()),
  role_name: z.nullish(z.string()),
  compressed_messages: z._default(z.nullable(z.array(z.unknown())), []),
  messages: z._default(z.nullable(z.array(z.unknown())), []),
});

export interface CoyoteSessionPlace {
  source: SourceFolder;
  parts: readonly string[];
  /** Of the session. */
  name: string;
  /** Absent outside of agents. */
  agent?: string | undefined;
  tool: string;
}

/** A session as Coyote and AIChat keep it: a file of YAML, without times. */
export function coyoteSession(place: CoyoteSessionPlace): ImportItem {
  const { source, parts, name, agent } = place;
  return {
    kind: 'session',
    name: agent === undefined ? name : `${agent}/${name}`,
    from: source.at(...parts),
    content: { type: 'session', digest: () => source.digest(...parts), read: () => read(place) },
    notes: [],
  };
}

async function read({ source, parts, name, agent, tool }: CoyoteSessionPlace): Promise<ReadSession> {
  const file = source.at(...parts);
  const found = await readYamlFile(source, parts, MAX_BYTES);
  if (!found) throw new EngineError('not-found', `${file} is gone.`);
  const { yaml, modifiedAt } = found;
  const parsed = session.safeParse(yaml.data);
  if (!parsed.data)
    throw new EngineError('invalid-input', `${file}: it is not a session (${issueText(parsed.error)}).`);
  const { model, role_name: role, compressed_messages: folded, messages } = parsed.data;
  const said = { time: modifiedAt, model: model ?? undefined, agent: agent ?? role ?? undefined };
  const pieces: ArchivePiece[] = [];
  const problems: string[] = [];
  for (const [key, list] of [
    ['compressed_messages', folded ?? []],
    ['messages', messages ?? []],
  ] as const) {
    list.forEach((one, at) => {
      const known = message.safeParse(one);
      if (known.data) pieces.push(...piecesOf(known.data, said, pieces.length));
      else problems.push(`${file}:${yaml.position([key, at]).line}: this is not a message, so it was left out.`);
    });
  }
  return { session: { tool, file, title: name, modifiedAt, pieces }, problems: fewOf(problems) };
}

interface Said {
  time: number;
  model: string | undefined;
  agent: string | undefined;
}

function piecesOf({ role, content }: Message, said: Said, count: number): ArchivePiece[] {
  if (typeof content === 'object' && 'tool_results' in content) {
    const calls = content.tool_results.map(({ call, output }, at) => ({ call, output, id: `${count}.${at}` }));
    return [
      { type: 'text', text: content.text ?? '', ...said },
      ...calls.map(({ call, id }) => ({
        type: 'call' as const,
        id,
        name: call.name,
        arguments: textOf(call.arguments),
        ...said,
      })),
      ...calls.map(({ output, id }) => ({
        type: 'result' as const,
        callId: id,
        time: said.time,
        text: textOf(output),
        failed: false,
      })),
    ];
  }
  const text = typeof content === 'string' ? content : content.map(partText).join('\n');
  // What the program says to the model is its own, and the conversation is whole without it.
  if (role === 'system' || role === 'tool') return [];
  return [role === 'user' ? { type: 'user', time: said.time, text } : { type: 'text', text, ...said }];
}

function partText({ type, text }: z.infer<typeof part>): string {
  return text ?? (type === 'image_url' ? '[a picture, which is in the original]' : `[${type}]`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
