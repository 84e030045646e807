import * as z from '../../base/zod';
import { callable, checkPlugin, fields } from '../checkPlugin';
import { type ContentProblem, type ContentSource, MEMORY, type Named } from '../content/contentProblem';
import { EngineError } from '../engineError';
import type { GraphOfAgent } from '../graphs/desk';
import { type Effort, effortSchema } from '../llm/model';
import { type WorkMode, workModeSchema } from '../permissions/modes';
import { agentRuleSchema, type PermissionAction, type PermissionRule } from '../permissions/permissionRule';
import type { AgentLoop } from '../run/loop/agentLoop';
import { agentLimitsSchema, type RunLimits } from '../run/stopConditions';
import type { SkillPolicy } from '../skills/skill';
import type { LookingSettings } from '../tools/toolContext';
import type { ToolErrorRecovery } from '../tools/toolErrors';

/** `primary`: started by the user. `subagent`: started by other agents. `all`: both. */
export const AGENT_MODES = ['primary', 'subagent', 'all'] as const;
export type AgentMode = (typeof AGENT_MODES)[number];

/** Session name that opens a new session each time. */
export const TEMPORARY_SESSION = 'temp';

/** A variable filled into an agent's prompt and tools. */
export interface AgentVariable {
  name: string;
  description: string;
  /** If absent, the user is asked for a value. */
  default?: string;
}

/** Which agents may be called, in OpenCode's terms: wildcards over names, where the last match wins. */
export interface TargetRule {
  pattern: string;
  action: PermissionAction;
}

/** What an agent does while to-dos are open. */
interface AutoContinueSettings {
  on: boolean;
  /** Maximum per user message; absent: the user's setting. */
  max?: number;
  /** Whether the prompt explains the to-do tools. */
  injects: boolean;
  /** Replaces the built-in continuation prompt. */
  prompt?: string;
}

/** Which agents an agent may start, and how their answers are handled. */
export interface SpawnSettings {
  on: boolean;
  /** Names of the agents it may start; null: every agent that is not primary. */
  agents: readonly string[] | null;
  maxConcurrent: number;
  maxDepth: number;
  /** Whether the prompt explains the spawning tools. */
  injects: boolean;
  /** Answers of children longer than this, in characters, are summarized. */
  summarizeAbove: number;
  /** Model that writes the summaries; absent: the model of the run. */
  summaryModel?: string;
  /** Starting an agent again continues its latest session that is not running. Absent: always a new session. */
  reuses?: boolean;
  /** How long its questions wait for an answer. */
  escalationTimeoutMs: number;
}

/** An agent definition, independent of its file format. */
export interface AgentDefinition extends Named {
  readonly name: string;
  readonly source: ContentSource;
  description: string;
  mode: AgentMode;
  /** Not offered to the user. */
  hidden: boolean;
  /** Its part of the system prompt. */
  prompt: string;
  /** A script in the agent's folder produces the instructions; `prompt` is the fallback. */
  dynamicInstructions?: boolean;
  /** `provider:model`; absent: the session's model, otherwise the default. */
  model?: string;
  /** The model was named for another tool. If it is not available, the agent uses its caller's model. */
  modelIsWish?: boolean;
  temperature?: number;
  topP?: number;
  /** Reasoning effort of the model. */
  effort?: Effort;
  /** Names and wildcards of the tools it is offered; null: all that need no switch of their own. */
  tools: readonly string[] | null;
  /** Names of the tools from its own scripts that it is offered; absent: all of them. */
  ownTools?: readonly string[];
  /** Ids of the MCP servers whose tools it gets, or `all`; absent: those that `tools` names, or all. */
  servers?: readonly string[];
  /** Which naming scheme its tools use. */
  toolNames: 'cairn' | 'opencode';
  rules: readonly PermissionRule[];
  /** Mode used when the session specifies none; absent: no restriction. */
  workMode?: WorkMode;
  /** `permission.task`; null when it is absent. */
  taskTargets: readonly TargetRule[] | null;
  limits: RunLimits;
  /** Number of tokens above which its conversation is summarized; absent: only when it no longer fits the model. */
  compactsAbove?: number;
  /** Settings for the tools that read and search files. */
  looking?: LookingSettings;
  variables: readonly AgentVariable[];
  starters: readonly string[];
  /** Session to open with the agent; `temp` for a new one each time. */
  sessionName?: string;
  autoContinue: AutoContinueSettings;
  spawning: SpawnSettings;
  skills: SkillPolicy;
  /** Skills loaded from the start. */
  preloadedSkills: readonly string[];
  /** Set if the agent is a graph, whose nodes call models and start agents. */
  graph?: GraphOfAgent;
  /** Set if the agent is a program, which calls models and tools as it sees fit. */
  loop?: AgentLoop;
  /** Decides what happens when its calls fail; absent: the engine's handler, or without one the model gets the error. */
  toolErrors?: ToolErrorRecovery;
  /** Features its file asks for that Cairn does not support yet, one sentence each. */
  lacks?: readonly string[];
  /** Absolute path of the folder with its files (`.env`, tools, assets); null for a single file. */
  folder: string | null;
}

/** Returns the defaults of an agent that specifies nothing. */
export function agentDefaults(): Omit<AgentDefinition, 'name' | 'source' | 'prompt'> {
  return {
    description: '',
    mode: 'all',
    hidden: false,
    tools: null,
    toolNames: 'cairn',
    rules: [],
    taskTargets: null,
    limits: {},
    variables: [],
    starters: [],
    skills: {},
    preloadedSkills: [],
    folder: null,
    autoContinue: { on: false, injects: true },
    spawning: {
      on: false,
      agents: null,
      maxConcurrent: 4,
      maxDepth: 3,
      injects: true,
      summarizeAbove: 4000,
      escalationTimeoutMs: 300_000,
    },
  };
}

/** The result of reading a file in one format: an agent (possibly with warnings), or the reasons why there is none. */
export interface AgentDraft {
  agent: AgentDefinition | undefined;
  problems: ContentProblem[];
  /** Path of the agent's graph, relative to its file. */
  graphFile?: string;
}

/** An agent file as passed to the reader of a format. */
export interface AgentFile {
  text: string;
  source: AgentDefinition['source'];
  /** Derived from the path; a `name` in the file takes precedence. */
  name: string;
  /** Set by its folder; overrides the mode in the file. */
  mode?: AgentMode;
}

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
