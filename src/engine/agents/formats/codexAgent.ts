import * as z from '../../../base/zod';
import { readToml } from '../../commands/tomlCommand';
import { checkContent, notesOn } from '../../content/checkContent';
import type { ContentProblem } from '../../content/contentProblem';
import { foreignModel } from '../../content/foreignModel';
import { agentName, nameList } from '../../content/writtenNames';
import { EFFORTS, effortSchema } from '../../llm/model';
import { agentDefaults, type AgentDraft, type AgentFile } from '../agentDefinition';

const text = z.string();

const codexAgentSchema = z.lazy(() =>
  z.strictObject({
    name: z.exactOptional(agentName),
    description: z.exactOptional(text),
    developer_instructions: text,
    model: z.exactOptional(text),
    model_reasoning_effort: z.exactOptional(z.unknown()),
    sandbox_mode: z.exactOptional(z.enum(['read-only', 'workspace-write', 'danger-full-access'])),
    nickname_candidates: z.exactOptional(nameList),
    approval_policy: z.exactOptional(z.unknown()),
    mcp_servers: z.exactOptional(z.unknown()),
    skills: z.exactOptional(z.unknown()),
    web_search: z.exactOptional(z.unknown()),
    tools: z.exactOptional(z.unknown()),
  }),
);

/** Keys that change what the agent has or may do and have no counterpart in Cairn. */
const WITHOUT_EFFECT = ['approval_policy', 'mcp_servers', 'skills', 'web_search', 'tools'] as const;
/** Invalid values of these keys reject the file: without them the agent could do more than its author intended. */
const LIMITS = ['developer_instructions', 'sandbox_mode'];
const READS_ONLY = 'With “read-only” the agent is in Ask mode: it reads and answers, and runs no commands.';
const WITHOUT_LIMIT = 'in Cairn, permission rules and the approval mode say what it may do.';

/** Reads a file of `.codex/agents`: a subagent written as TOML. */
export async function readCodexAgent({ text: file, source, name }: AgentFile): Promise<AgentDraft> {
  const toml = await readToml(source.path, file);
  const { value, problems } = checkContent(toml, codexAgentSchema, { unknownKeys: 'note', limits: LIMITS });
  if (!value) return { agent: undefined, problems };
  const tell = (key: string, message: string, severity: ContentProblem['severity'] = 'warning'): ContentProblem => {
    const at = toml.position([key], 'key');
    return { kind: 'schema', severity, path: source.path, ...at, message };
  };
  const { model: wanted, sandbox_mode: sandbox, model_reasoning_effort: asked } = value;
  const model = wanted === undefined ? undefined : foreignModel(wanted, 'codex');
  const effort = effortSchema.safeParse(asked).data;
  const agent = {
    ...agentDefaults(),
    name: value.name ?? name,
    source,
    description: value.description ?? '',
    prompt: value.developer_instructions.trim(),
    mode: 'subagent' as const,
    ...(model && { model, modelIsWish: true }),
    ...(effort !== undefined && { effort }),
    ...(sandbox === 'read-only' && { workMode: 'ask' as const }),
  };
  const told = [
    ...(model === null ? [tell('model', `“${wanted}” does not name a model; the agent uses its caller’s model.`)] : []),
    ...(asked !== undefined && effort === undefined
      ? [tell('model_reasoning_effort', `The effort is one of ${EFFORTS.join(', ')}; the model’s default applies.`)]
      : []),
    ...(sandbox === 'read-only' ? [tell('sandbox_mode', READS_ONLY, 'note')] : []),
    ...(sandbox === 'danger-full-access' ? [tell('sandbox_mode', `“${sandbox}” has no effect; ${WITHOUT_LIMIT}`)] : []),
    ...WITHOUT_EFFECT.filter((key) => value[key] !== undefined).map((key) =>
      tell(key, `“${key}” has no effect; ${WITHOUT_LIMIT}`),
    ),
  ];
  return { agent, problems: [...problems, ...told, ...notesOn(value, ['nickname_candidates'], toml)] };
}
