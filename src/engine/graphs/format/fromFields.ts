import { originalModelId } from '../../content/writtenNames';
import {
  type Graph,
  type GraphBudget,
  type GraphNode,
  type GraphVersion,
  type NodeRetry,
  parseAnswerCheck,
  type SkillFields,
  type StateUpdate,
} from '../graph';
import type { AnyNodeFields, GraphFields, NodeFields } from './graphFields';

const DEFAULTS = { script: 30, command: 300, agent: 300, rag: 120 };

/** Builds a graph from the fields of its file and its nodes. */
export function graphFrom(fields: GraphFields, version: GraphVersion, nodes: ReadonlyMap<string, GraphNode>): Graph {
  const settings = fields.settings ?? {};
  return {
    name: fields.name,
    description: fields.description ?? '',
    version,
    ...(fields.model && { model: originalModelId(fields.model) }),
    ...given('temperature', fields.temperature),
    ...given('topP', fields.top_p),
    ...given('effort', fields.reasoning_effort),
    globalTools: fields.global_tools ?? [],
    mcpServers: fields.mcp_servers ?? [],
    skills: skillsFrom(fields),
    settings: {
      maxVisits: settings.max_loop_iterations ?? 100,
      ...given('timeoutMs', milliseconds(settings.timeout)),
      validatesFirst: settings.validate_before_run ?? true,
      maxConcurrency: Math.max(1, settings.max_concurrency ?? 8),
      ...given('budget', settings.budget),
    },
    initialState: fields.initial_state ?? {},
    reducers: new Map(Object.entries(fields.reducers ?? {})),
    start: fields.start,
    nodes,
  };
}

export function nodeFrom(id: string, fields: AnyNodeFields): GraphNode {
  const base = baseFrom(id, fields);
  switch (fields.type) {
    case 'script':
      return { ...base, ...scriptFrom(fields) };
    case 'command':
      return { ...base, ...commandFrom(fields) };
    case 'llm':
      return { ...base, ...llmFrom(fields) };
    case 'agent':
      return { ...base, ...agentFrom(fields) };
    case 'rag':
      return { ...base, ...ragFrom(fields) };
    case 'map':
      return { ...base, ...mapFrom(fields) };
    case 'input':
      return { ...base, ...inputFrom(fields) };
    case 'approval':
      return { ...base, ...approvalFrom(fields) };
    case 'end':
      return { ...base, type: fields.type, output: fields.output ?? '' };
  }
}

function scriptFrom(fields: NodeFields['script']) {
  return {
    type: fields.type,
    next: nextOf(fields),
    script: fields.script,
    ...given('fallback', fields.fallback),
    timeoutMs: (fields.timeout ?? DEFAULTS.script) * 1000,
  };
}

function commandFrom(fields: NodeFields['command']) {
  return {
    type: fields.type,
    next: nextOf(fields),
    command: fields.command,
    ...given('fallback', fields.fallback),
    timeoutMs: (fields.timeout ?? DEFAULTS.command) * 1000,
  };
}

function agentFrom(fields: NodeFields['agent']) {
  return {
    type: fields.type,
    next: nextOf(fields),
    agent: fields.agent,
    prompt: fields.prompt,
    ...given('outputSchema', fields.output_schema),
    timeoutMs: (fields.timeout ?? DEFAULTS.agent) * 1000,
  };
}

function ragFrom(fields: NodeFields['rag']) {
  return {
    type: fields.type,
    next: nextOf(fields),
    documents: fields.documents,
    query: fields.query ?? '{{initial_prompt}}',
    ...given('topK', fields.top_k),
    timeoutMs: (fields.timeout ?? DEFAULTS.rag) * 1000,
  };
}

function llmFrom(fields: NodeFields['llm']) {
  return {
    type: fields.type,
    next: nextOf(fields),
    prompt: fields.prompt,
    tools: fields.tools ?? [],
    ...given('instructions', fields.instructions),
    ...(fields.model && { model: originalModelId(fields.model) }),
    ...given('temperature', fields.temperature),
    ...given('topP', fields.top_p),
    ...given('effort', fields.reasoning_effort),
    ...given('fallback', fields.fallback),
    maxAttempts: fields.max_attempts ?? 1,
    maxIterations: fields.max_iterations ?? 10,
    ...given('outputSchema', fields.output_schema),
    ...given('timeoutMs', milliseconds(fields.timeout)),
    skills: skillsFrom(fields),
  };
}

function mapFrom(fields: NodeFields['map']) {
  return {
    type: fields.type,
    next: nextOf(fields),
    over: fields.over,
    as: fields.as,
    branch: fields.branch,
    // The original format's default, which files may also spell out, means the output of the branch.
    ...(fields.output_key && fields.output_key !== 'output' && { outputKey: fields.output_key }),
    collectInto: fields.collect_into,
    ...(typeof fields.max_concurrency === 'number' && { maxConcurrency: Math.max(1, fields.max_concurrency) }),
    ...given('timeoutMs', milliseconds(fields.timeout)),
  };
}

function inputFrom(fields: NodeFields['input']) {
  const check = fields.validation ? parseAnswerCheck(fields.validation) : undefined;
  return {
    type: fields.type,
    next: nextOf(fields),
    question: fields.question,
    ...given('default', fields.default),
    ...given('check', check),
    ...given('timeoutMs', milliseconds(fields.timeout)),
  };
}

function approvalFrom(fields: NodeFields['approval']) {
  return {
    type: fields.type,
    question: fields.question,
    options: fields.options,
    onOther: fields.on_other,
    routes: new Map(Object.entries(fields.routes)),
    ...given('default', fields.default),
    ...given('timeoutMs', milliseconds(fields.timeout)),
  };
}

function baseFrom(id: string, fields: AnyNodeFields) {
  return {
    id,
    ...given('description', fields.description),
    updates: updatesFrom(fields.state_updates ?? {}),
    ...(fields.join === 'all' && { joinsAll: true as const }),
    ...given('retry', fields.retry && retryFrom(fields.retry)),
    ...given<'budget', GraphBudget>('budget', fields.budget),
    ...given('maxVisits', fields.max_visits),
  };
}

function retryFrom({ attempts, delay = 1, factor = 2 }: NonNullable<AnyNodeFields['retry']>): NodeRetry {
  return { attempts, delayMs: delay * 1000, factor };
}

function updatesFrom(updates: Readonly<Record<string, string>>): StateUpdate[] {
  return Object.entries(updates).map(([key, template]) => ({ key, template }));
}

function nextOf({ next }: { next?: string | readonly string[] | null }): readonly string[] {
  if (next === undefined || next === null) return [];
  return typeof next === 'string' ? [next] : [...new Set(next)];
}

function skillsFrom(
  fields: Pick<GraphFields, 'skills_enabled' | 'enabled_skills' | 'inject_skill_instructions' | 'skill_instructions'>,
): SkillFields {
  return {
    ...given('on', fields.skills_enabled),
    ...given('names', fields.enabled_skills),
    ...given('injects', fields.inject_skill_instructions),
    ...given('instructions', fields.skill_instructions),
  };
}

function milliseconds(seconds: number | null | undefined): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** Returns an object with the field, or an empty one if there is no value. */
function given<K extends string, T>(key: K, value: T | null | undefined): Partial<Record<K, T>> {
  const field: Partial<Record<K, T>> = {};
  if (value !== undefined && value !== null) field[key] = value;
  return field;
}
