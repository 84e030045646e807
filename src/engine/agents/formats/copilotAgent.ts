import * as z from '../../../base/zod';
import { checkContent, noFrontMatter, notesOn, schemaKeys } from '../../content/checkContent';
import type { ContentProblem, Meant } from '../../content/contentProblem';
import { foreignFrontMatter } from '../../content/foreignFrontMatter';
import { COPILOT_TOOLS, toolGaps } from '../../content/foreignToolNames';
import { COPILOT, mapToolNames, withoutToolSet } from '../../content/toolNames';
import { agentName, flagWord, hintText, nameList } from '../../content/writtenNames';
import { readYaml } from '../../content/yamlSource';
import { EFFORTS, effortSchema } from '../../llm/model';
import { agentDefaults, type AgentDefinition, type AgentDraft, type AgentFile } from '../agentDefinition';

const text = z.string();
const anything = z.exactOptional(z.unknown());

export const copilotAgentSchema = z.lazy(() =>
  z.strictObject({
    name: z.exactOptional(agentName),
    description: z.exactOptional(text),
    'argument-hint': z.exactOptional(hintText),
    model: z.exactOptional(nameList),
    'reasoning-effort': anything,
    tools: z.exactOptional(nameList),
    agents: z.exactOptional(nameList),
    handoffs: anything,
    target: z.exactOptional(text),
    'user-invocable': z.exactOptional(flagWord),
    // Earlier spelling used by VS Code.
    'user-invokable': z.exactOptional(flagWord),
    mode: anything,
    hidden: anything,
    'disable-model-invocation': z.exactOptional(flagWord),
    infer: z.exactOptional(flagWord),
    hooks: anything,
    'mcp-servers': anything,
    github: anything,
    metadata: anything,
  }),
);

const COPILOTS_NAME = 'is a Copilot name; write provider:model to choose a model in Cairn.';
/** Invalid values of these keys reject the file: without them the agent could do more than its author intended. */
const LIMITS = ['tools', 'agents', 'user-invocable', 'user-invokable', 'disable-model-invocation', 'infer'];
const FOR_OTHERS = ['argument-hint', 'target', 'metadata', 'mode', 'hidden'];
const WITHOUT_EFFECT = ['handoffs', 'hooks', 'mcp-servers', 'github'] as const;

/** Reads a file of `.github/agents`. */
export function readCopilotAgent({ text: file, source, name }: AgentFile): AgentDraft {
  const { head, headLine, body, unclosed } = foreignFrontMatter(file);
  if (unclosed) return { agent: undefined, problems: [noFrontMatter(source.path, unclosed)] };
  const mendBy = schemaKeys(copilotAgentSchema, []);
  const yaml = readYaml(head ?? '', { path: source.path, firstLine: headLine, lenient: true, mendBy });
  const { value, problems } = checkContent(yaml, copilotAgentSchema, { unknownKeys: 'note', limits: LIMITS });
  if (!value) return { agent: undefined, problems };
  const warn = (key: string, message: string, meant?: Meant): ContentProblem => {
    const at = yaml.position([key], 'key');
    return { kind: 'schema', severity: 'warning', path: source.path, ...at, message, ...(meant && { meant }) };
  };
  const offered = value.tools && mapToolNames(value.tools.map(withoutToolSet), COPILOT_TOOLS, COPILOT);
  const model = value.model?.find((one) => /^[a-z][\w-]*:\S+$/.test(one));
  const noModel = value.model !== undefined && model === undefined;
  const effort = effortSchema.safeParse(value['reasoning-effort']).data;
  const warnings = [
    ...toolGaps(value.tools, offered?.tools).map((text) => warn('tools', text)),
    ...(offered?.unmapped ?? []).map(({ message, meant }) => warn('tools', message, meant)),
    ...(noModel ? [warn('model', `“${value.model?.join(', ')}” ${COPILOTS_NAME}`)] : []),
    ...(value['reasoning-effort'] !== undefined && effort === undefined
      ? [warn('reasoning-effort', `“reasoning-effort” is one of ${EFFORTS.join(', ')}; the model’s default applies.`)]
      : []),
    ...WITHOUT_EFFECT.filter((key) => value[key] !== undefined).map((key) =>
      warn(key, `“${key}” has no effect in Cairn.`),
    ),
  ];
  const base = agentDefaults();
  const agent: AgentDefinition = {
    ...base,
    name: value.name ?? name,
    source,
    description: value.description ?? '',
    prompt: body.trim(),
    mode: modeOf(value),
    hidden: !isForPeople(value) && !isForAgents(value),
    ...(model !== undefined && { model, modelIsWish: true }),
    ...(effort !== undefined && { effort }),
    tools: offered?.tools ?? null,
    spawning: {
      ...base.spawning,
      on: startsOthers(value.agents, offered?.tools),
      agents: value.agents && !value.agents.includes('*') ? value.agents : null,
    },
  };
  return { agent, problems: [...problems, ...warnings, ...notesOn(value, FOR_OTHERS, yaml)] };
}

/** An agent with all tools by default may start other agents if it names some. */
function startsOthers(agents: readonly string[] | undefined, tools: readonly string[] | undefined): boolean {
  if (agents?.length === 0) return false;
  if (tools?.includes('agent__*')) return true;
  return agents !== undefined && (tools === undefined || tools.includes('*'));
}

type Value = z.infer<typeof copilotAgentSchema>;

const isForPeople = (value: Value) => (value['user-invocable'] ?? value['user-invokable']) !== false;
const isForAgents = (value: Value) => value['disable-model-invocation'] !== true && value.infer !== false;

function modeOf(value: Value): AgentDefinition['mode'] {
  if (isForPeople(value) && isForAgents(value)) return 'all';
  return isForAgents(value) ? 'subagent' : 'primary';
}
