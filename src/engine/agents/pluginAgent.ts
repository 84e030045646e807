import * as z from '../../base/zod';
import { callable, checkPlugin, fields } from '../checkPlugin';
import { MEMORY } from '../content/contentProblem';
import { EngineError } from '../engineError';
import { effortSchema } from '../llm/model';
import { agentRuleSchema } from '../permissions/permissionRule';
import { workModeSchema } from '../permissions/workMode';
import { agentLimitsSchema } from '../run/stopConditions';
import type { AgentLoop } from '../run/loop/agentLoop';
import { AGENT_MODES, agentDefaults, type AgentDefinition } from './agentDefinition';

/** An agent provided by another extension or program. Absent fields default as in an agent file. */
export interface PluginAgent extends Partial<Omit<AgentDefinition, 'name' | 'source' | 'loop'>> {
  name: string;
  /** Tells users and other agents when to choose it. */
  description: string;
  /** A custom loop; without it the agent is a prompt, like one in a file. */
  loop?: AgentLoop;
}

/** Validates the agent and fills in defaults. Throws EngineError `invalid-input` if the name or a field is invalid. */
export function pluginAgent(agent: PluginAgent): AgentDefinition {
  checkPlugin('agent', agent, pluginAgentSchema);
  if (!/^[\w-]+(\/[\w-]+)*$/.test(agent.name)) {
    const rule = 'Names consist of letters, digits, “_”, and “-”, and may contain “/”.';
    throw new EngineError('invalid-input', `“${agent.name}” is not a valid agent name. ${rule}`);
  }
  const defaults = agentDefaults();
  return {
    ...defaults,
    prompt: '',
    // A program decides itself which agents it starts.
    spawning: { ...defaults.spawning, on: agent.loop !== undefined },
    ...said(agent),
    source: { scope: 'user', world: 'cairn', path: MEMORY },
  };
}

/** Removes undefined fields, which would override the defaults. */
function said(agent: PluginAgent): PluginAgent {
  const copy = { ...agent };
  for (const key of Object.keys(copy)) if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
  return copy;
}

const text = z.string();
const flag = z.boolean();
const count = z.number();
const texts = z.readonly(z.array(text));
const action = z.enum(['allow', 'ask', 'deny']);

function spawningSchema() {
  return fields({
    on: flag,
    agents: z.nullable(texts),
    maxConcurrent: count,
    maxDepth: count,
    injects: flag,
    summarizeAbove: count,
    summaryModel: z.optional(text),
    reuses: z.optional(flag),
    escalationTimeoutMs: count,
  });
}

function lookingSchema() {
  const most = z.optional(z.int().check(z.minimum(1)));
  return fields({ readLines: most, grepMatches: most, grepExcludes: z.optional(texts) });
}

/** Schema of an agent provided by an extension or program. An undefined field counts as absent. Built on first use. */
const pluginAgentSchema = z.lazy(() =>
  fields({
    name: text,
    /** Present if the agent was made from a file. */
    source: z.optional(z.unknown()),
    graph: z.optional(z.unknown()),
    dynamicInstructions: z.optional(flag),
    modelIsWish: z.optional(flag),
    disabled: z.optional(flag),
    lacks: z.optional(texts),
    description: text,
    mode: z.optional(z.enum(AGENT_MODES)),
    hidden: z.optional(flag),
    toolErrors: z.optional(callable),
    prompt: z.optional(text),
    model: z.optional(text),
    temperature: z.optional(count),
    topP: z.optional(count),
    effort: z.optional(effortSchema),
    workMode: z.optional(workModeSchema),
    ownTools: z.optional(texts),
    servers: z.optional(texts),
    tools: z.nullish(texts),
    toolNames: z.optional(z.enum(['cairn', 'opencode'])),
    rules: z.optional(z.array(agentRuleSchema)),
    taskTargets: z.nullish(z.array(fields({ pattern: text, action }))),
    limits: z.optional(agentLimitsSchema),
    compactsAbove: z.optional(count),
    looking: z.optional(lookingSchema()),
    variables: z.optional(z.array(fields({ name: text, description: text, default: z.optional(text) }))),
    starters: z.optional(texts),
    sessionName: z.optional(text),
    autoContinue: z.optional(fields({ on: flag, max: z.optional(count), injects: flag, prompt: z.optional(text) })),
    spawning: z.optional(spawningSchema()),
    skills: z.optional(
      fields({
        on: z.optional(flag),
        names: z.optional(texts),
        injects: z.optional(flag),
        instructions: z.optional(text),
      }),
    ),
    preloadedSkills: z.optional(texts),
    loop: z.optional(callable),
    folder: z.nullish(text),
  }),
);
