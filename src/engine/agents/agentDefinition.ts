import type { ContentProblem } from '../content/contentProblem';
import type { ContentSource, Named } from '../content/contentSource';
import type { GraphOfAgent } from '../graphs/graphRunParts';
import type { Effort } from '../llm/model';
import type { PermissionAction, PermissionRule } from '../permissions/permissionRule';
import type { AgentLoop } from '../run/loop/agentLoop';
import type { WorkMode } from '../permissions/workMode';
import type { RunLimits } from '../run/stopConditions';
import type { SkillPolicy } from '../skills/skill';
import type { LookingSettings } from '../tools/files/lookingSettings';
import type { ToolErrorRecovery } from '../tools/toolErrors';

/** `primary`: people start it. `subagent`: other agents do. */
export const AGENT_MODES = ['primary', 'subagent', 'all'] as const;
export type AgentMode = (typeof AGENT_MODES)[number];

/** As the name of an agent's session: a new one each time. */
export const TEMPORARY_SESSION = 'temp';

/** A value that an agent's prompt and tools are filled with. */
export interface AgentVariable {
  name: string;
  description: string;
  /** Without one the person is asked. */
  default?: string;
}

/** Which agents one may call, in OpenCode's words: wildcards over names, the last match wins. */
export interface TargetRule {
  pattern: string;
  action: PermissionAction;
}

/** What an agent does while to-dos are open. */
export interface AutoContinueSettings {
  on: boolean;
  /** So often for each message of the person; absent: as the person set it. */
  max?: number;
  /** Whether the prompt explains the to-do tools. */
  injects: boolean;
  /** Said instead of the built-in words. */
  prompt?: string;
}

/** What an agent may start, and what becomes of what it hears. */
export interface SpawnSettings {
  on: boolean;
  /** Names that it may start; null: every agent that is not primary. */
  agents: readonly string[] | null;
  maxConcurrent: number;
  maxDepth: number;
  /** Whether the prompt explains the tools for it. */
  injects: boolean;
  /** Answers of children longer than this are summed up. In characters. */
  summarizeAbove: number;
  /** Sums up; absent: the model of the run. */
  summaryModel?: string;
  /** An agent that it starts again goes on in the session that it had of it last, unless that is running. Absent: in a new one. */
  reuses?: boolean;
  /** How long its own questions wait for an answer. */
  escalationTimeoutMs: number;
}

/** An agent as written, whatever the format it was written in. */
export interface AgentDefinition extends Named {
  readonly name: string;
  readonly source: ContentSource;
  description: string;
  mode: AgentMode;
  /** Not offered to people. */
  hidden: boolean;
  /** Its own words in the system prompt. */
  prompt: string;
  /** A script of its folder says it, with `prompt` for when that cannot be. */
  dynamicInstructions?: boolean;
  /** `provider:model`; absent: the session's, else the default. */
  model?: string;
  /** The model is what its author had in another tool; where it is not ready, the agent works by that of its caller. */
  modelIsWish?: boolean;
  temperature?: number;
  topP?: number;
  /** How long its model may think. */
  effort?: Effort;
  /** Names and wildcards of the tools that it is offered; null: all that need no switch of their own. */
  tools: readonly string[] | null;
  /** Names of the tools of its own scripts that it is offered; absent: all of them. */
  ownTools?: readonly string[];
  /** Ids of the MCP servers whose tools it is given, or `all`; absent: those that `tools` names, or all. */
  servers?: readonly string[];
  /** Under which names it is offered them. */
  toolNames: 'cairn' | 'opencode';
  rules: readonly PermissionRule[];
  /** What it may do at all where the session does not say it; absent: everything. */
  workMode?: WorkMode;
  /** `permission.task`; null when it is absent. */
  taskTargets: readonly TargetRule[] | null;
  limits: RunLimits;
  /** Its conversation is summed up above so many tokens; absent: when it no longer fits the model. */
  compactsAbove?: number;
  /** What it wants of the tools that read and search files. */
  looking?: LookingSettings;
  variables: readonly AgentVariable[];
  starters: readonly string[];
  /** The session that opens with it; `temp` for a new one each time. */
  sessionName?: string;
  autoContinue: AutoContinueSettings;
  spawning: SpawnSettings;
  skills: SkillPolicy;
  /** The skills that are loaded from the start. */
  preloadedSkills: readonly string[];
  /** The agent is a graph, whose nodes ask models and start agents. */
  graph?: GraphOfAgent;
  /** The agent is a program, which asks models and calls tools as it sees fit. */
  loop?: AgentLoop;
  /** What becomes of its calls that fail; nothing of it: as the engine says, else the model is told. */
  toolErrors?: ToolErrorRecovery;
  /** What its file asks for and Cairn does not have yet, a sentence each. */
  lacks?: readonly string[];
  /** Absolute folder of what belongs to it (`.env`, tools, assets); null when it is a single file. */
  folder: string | null;
}

/** What an agent is that says nothing. */
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

/** What a format makes of a file: an agent, or why there is none; warnings come with an agent too. */
export interface AgentDraft {
  agent: AgentDefinition | undefined;
  problems: ContentProblem[];
  /** The graph that it is, relative to its file. */
  graphFile?: string;
}

/** The file of an agent as a format gets it. */
export interface AgentFile {
  text: string;
  source: AgentDefinition['source'];
  /** From its path; a `name` in the file counts more. */
  name: string;
  /** What its folder makes of it, whatever the file says. */
  mode?: AgentMode;
}
