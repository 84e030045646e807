import * as z from 'zod';
import { callable } from '../../checkPlugin';
import { effortSchema } from '../../llm/effort';
import { AGENT_MODES } from '../agentDefinition';

const text = z.string();
const flag = z.boolean();
const count = z.number();
const texts = z.array(text).readonly();
const action = z.enum(['allow', 'ask', 'deny']);

/**
 * What an agent that others bring must be like. A field that is there and undefined counts as one that is not said. Made when
 * there is one.
 */
export const pluginAgentSchema = z.lazy(() =>
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
    variables: z.array(z.object({ name: text, description: text, default: text.optional() })).optional(),
    starters: texts.optional(),
    sessionName: text.optional(),
    autoContinue: z.object({ on: flag, max: count.optional(), injects: flag, prompt: text.optional() }).optional(),
    spawning: z
      .object({
        ...{ on: flag, agents: texts.nullable(), maxConcurrent: count, maxDepth: count, injects: flag },
        ...{ summarizeAbove: count, summaryModel: text.optional(), escalationTimeoutMs: count },
      })
      .optional(),
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
