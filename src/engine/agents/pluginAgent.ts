import * as z from 'zod';
import { callable, checkPlugin } from '../checkPlugin';
import { MEMORY } from '../content/contentProblem';
import { EngineError } from '../engineError';
import { effortSchema } from '../llm/effort';
import type { AgentLoop } from '../run/loop/agentLoop';
import { AGENT_MODES, agentDefaults, type AgentDefinition } from './agentDefinition';

/** An agent that another extension or program brings: what it does not say is as for an agent in a file that says nothing. */
export interface PluginAgent extends Partial<Omit<AgentDefinition, 'name' | 'source' | 'loop'>> {
  name: string;
  /** Who uses it for what: what people and other agents choose by. */
  description: string;
  /** A loop of its own; without it the agent is a prompt, like one in a file. */
  loop?: AgentLoop;
}

/** Throws EngineError `invalid-input` when the name or a field does not fit. */
export function pluginAgent(agent: PluginAgent): AgentDefinition {
  checkPlugin('agent', agent, pluginAgentSchema);
  if (!/^[\w-]+(\/[\w-]+)*$/.test(agent.name)) {
    const rule = 'A name has letters, digits, “_” and “-”, and may be divided by “/”.';
    throw new EngineError('invalid-input', `An agent cannot be called “${agent.name}”. ${rule}`);
  }
  const defaults = agentDefaults();
  return {
    ...defaults,
    prompt: '',
    // A program decides by itself whom it starts.
    spawning: { ...defaults.spawning, on: agent.loop !== undefined },
    ...said(agent),
    source: { scope: 'user', world: 'cairn', path: MEMORY },
  };
}

/** Without the fields that are undefined, which would hide what an agent is that does not say them. */
function said(agent: PluginAgent): PluginAgent {
  const copy = { ...agent };
  for (const key of Object.keys(copy)) if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
  return copy;
}

const text = z.string();
const flag = z.boolean();
const count = z.number();
const texts = z.array(text).readonly();
const action = z.enum(['allow', 'ask', 'deny']);

function spawningSchema() {
  return z.object({
    on: flag,
    agents: texts.nullable(),
    maxConcurrent: count,
    maxDepth: count,
    injects: flag,
    summarizeAbove: count,
    summaryModel: text.optional(),
    reuses: flag.optional(),
    escalationTimeoutMs: count,
  });
}

function lookingSchema() {
  const most = z.int().min(1).optional();
  return z.strictObject({ readLines: most, grepMatches: most, grepExcludes: texts.optional() });
}

/**
 * What an agent that others bring must be like. A field that is there and undefined counts as one that is not said. Made when
 * there is one.
 */
const pluginAgentSchema = z.lazy(() =>
  z.strictObject({
    name: text,
    /** Of what was already made from fields. */
    source: z.unknown().optional(),
    disabled: flag.optional(),
    lacks: texts.optional(),
    description: text,
    mode: z.enum(AGENT_MODES).optional(),
    hidden: flag.optional(),
    toolErrors: callable.optional(),
    prompt: text.optional(),
    model: text.optional(),
    temperature: count.optional(),
    topP: count.optional(),
    effort: effortSchema.optional(),
    tools: texts.nullish(),
    toolNames: z.enum(['cairn', 'opencode']).optional(),
    rules: z.array(z.object({ tool: text, action, argument: z.object({ kind: text }).optional() })).optional(),
    taskTargets: z.array(z.object({ pattern: text, action })).nullish(),
    limits: z
      .object({
        ...{ turns: count.optional(), timeMs: count.optional() },
        ...{ tokens: count.optional(), costUsd: count.optional() },
      })
      .optional(),
    compactsAbove: count.optional(),
    looking: lookingSchema().optional(),
    variables: z.array(z.object({ name: text, description: text, default: text.optional() })).optional(),
    starters: texts.optional(),
    sessionName: text.optional(),
    autoContinue: z.object({ on: flag, max: count.optional(), injects: flag, prompt: text.optional() }).optional(),
    spawning: spawningSchema().optional(),
    skills: z
      .object({
        ...{ on: flag.optional(), names: texts.optional() },
        ...{ injects: flag.optional(), instructions: text.optional() },
      })
      .optional(),
    preloadedSkills: texts.optional(),
    loop: callable.optional(),
    folder: text.nullish(),
  }),
);
