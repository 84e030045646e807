import * as z from '../../../base/zod';
import { checkContent, noFrontMatter, notesOn, schemaKeys } from '../../content/checkContent';
import type { ContentProblem, Meant } from '../../content/contentProblem';
import { foreignFrontMatter } from '../../content/foreignFrontMatter';
import { foreignModel } from '../../content/foreignModel';
import { GEMINI_TOOLS, toolGaps } from '../../content/foreignToolNames';
import { type MappedTools, mapToolNames } from '../../content/toolNames';
import { agentName, nameList } from '../../content/writtenNames';
import { readYaml } from '../../content/yamlSource';
import { agentDefaults, type AgentDraft, type AgentFile } from '../agentDefinition';

const text = z.string();
const positive = z.number().check(z.positive());

export const geminiAgentSchema = z.lazy(() =>
  z.strictObject({
    name: z.exactOptional(agentName),
    display_name: z.exactOptional(text),
    description: z.exactOptional(text),
    kind: z.exactOptional(z.enum(['local', 'remote'])),
    tools: z.exactOptional(nameList),
    mcp_servers: z.exactOptional(z.unknown()),
    mcpServers: z.exactOptional(z.unknown()),
    model: z.exactOptional(text),
    temperature: z.exactOptional(z.number().check(z.minimum(0), z.maximum(2))),
    max_turns: z.exactOptional(z.int().check(z.positive())),
    timeout_mins: z.exactOptional(positive),
    agent_card_url: z.exactOptional(text),
    agent_card_json: z.exactOptional(text),
    auth: z.exactOptional(z.unknown()),
  }),
);

/** Keys that change what the agent has and have no counterpart in Cairn. */
const WITHOUT_EFFECT = ['mcp_servers', 'mcpServers'] as const;
/** Invalid values of these keys reject the file: without them the agent could do more than its author intended. */
const LIMITS = ['kind', 'tools', 'max_turns', 'timeout_mins'];
const REMOTE = 'The agent runs on a remote server, which Cairn does not support.';

/** Reads a file of `.gemini/agents`: a subagent whose tools have Gemini CLI's names. */
export function readGeminiAgent({ text: file, source, name }: AgentFile): AgentDraft {
  const { head, headLine, body, unclosed } = foreignFrontMatter(file);
  if (head === null) return { agent: undefined, problems: [noFrontMatter(source.path, unclosed)] };
  const mendBy = schemaKeys(geminiAgentSchema, []);
  const yaml = readYaml(head, { path: source.path, firstLine: headLine, lenient: true, mendBy });
  const { value, problems } = checkContent(yaml, geminiAgentSchema, { unknownKeys: 'note', limits: LIMITS });
  if (!value) return { agent: undefined, problems };
  const tell = (key: string, message: string, meant?: Meant): ContentProblem => {
    const at = yaml.position([key], 'key');
    return { kind: 'schema', severity: 'warning', path: source.path, ...at, message, ...(meant && { meant }) };
  };
  if (value.kind === 'remote') return { agent: undefined, problems: [...problems, tell('kind', REMOTE)] };
  const offered = value.tools && offeredTools(value.tools);
  const model = value.model === undefined ? undefined : foreignModel(value.model, 'gemini');
  const warnings = [
    ...toolGaps(value.tools, offered?.tools).map((gap) => tell('tools', gap)),
    ...(offered?.unmapped ?? []).map(({ message, meant }) => tell('tools', message, meant)),
    ...(model === null
      ? [tell('model', `“${value.model}” does not name a model; the agent uses its caller’s model.`)]
      : []),
    ...WITHOUT_EFFECT.filter((key) => value[key] !== undefined).map((key) =>
      tell(key, `“${key}” has no effect in Cairn; it goes by its own list of servers.`),
    ),
  ];
  const agent = {
    ...agentDefaults(),
    name: value.name ?? name,
    source,
    description: value.description ?? '',
    prompt: body.trim(),
    mode: 'subagent' as const,
    ...(model && { model, modelIsWish: true }),
    ...(value.temperature !== undefined && { temperature: value.temperature }),
    tools: offered?.tools ?? null,
    limits: {
      ...(value.max_turns !== undefined && { turns: value.max_turns }),
      ...(value.timeout_mins !== undefined && { timeMs: value.timeout_mins * 60_000 }),
    },
  };
  return { agent, problems: [...problems, ...warnings, ...notesOn(value, ['display_name'], yaml)] };
}

/**
 * In Gemini CLI, `mcp_server_tool` is a tool of a server, whose name has no "_"; `mcp_server_*` is all tools of a server, and
 * `mcp_*` all tools of every server.
 */
function offeredTools(names: readonly string[]): MappedTools {
  const ofServer = names.map((name) => name.replace(/^mcp_([^_*][^_]*)_(.+)$/, '$1/$2'));
  const own = ofServer.filter((name) => name !== 'mcp_*');
  const { tools, unmapped } = mapToolNames(own, GEMINI_TOOLS, 'Gemini CLI');
  return { tools: own.length < names.length ? [...tools, 'mcp__*'] : tools, unmapped };
}
