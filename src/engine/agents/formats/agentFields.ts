import * as z from '../../../base/zod';
import { agentName, originalModelId, modelName, nameList } from '../../content/writtenNames';
import { effortSchema } from '../../llm/model';
import { workModeSchema } from '../../permissions/modes';
import type { LookingSettings } from '../../tools/toolContext';
import { agentDefaults, type AgentDefinition, type AgentVariable } from '../agentDefinition';

const text = z.string();
const flag = z.boolean();
const count = z.int().check(z.nonnegative());

const variableSchema = z.strictObject({
  name: text.check(z.regex(/^[A-Za-z_][\w-]*$/, 'must begin with a letter and hold only letters, digits, - and _')),
  description: text.check(z.minLength(1)),
  default: z.exactOptional(z.pipe(z.union([text, z.number(), flag]), z.transform(String))),
});

function haveOwnNames(variables: readonly { name: string }[]): boolean {
  return new Set(variables.map(({ name }) => name)).size === variables.length;
}

const variablesSchema = z.array(variableSchema).check(z.refine(haveOwnNames, 'two variables have the same name'));

/** The variables of an agent whose other fields have a schema of their own. */
export const agentVariablesSchema = z.pipe(
  z.strictObject({ variables: z.exactOptional(variablesSchema) }),
  z.transform(({ variables = [] }) => ({ variables: variables.map(variableOf) })),
);
export type WrittenVariables = z.infer<typeof agentVariablesSchema>;

/** Fields shared by `config.yaml` and Cairn's own Markdown agents. */
export const agentFieldsSchema = z.strictObject({
  name: z.exactOptional(agentName),
  description: z.exactOptional(text),
  version: z.exactOptional(z.union([text, z.number()])),
  model: z.exactOptional(modelName),
  temperature: z.exactOptional(z.number().check(z.minimum(0), z.maximum(2))),
  top_p: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
  reasoning_effort: z.exactOptional(effortSchema),
  work_mode: z.exactOptional(workModeSchema),
  agent_session: z.exactOptional(z.nullable(text)),
  global_tools: z.exactOptional(nameList),
  mcp_servers: z.exactOptional(nameList),
  auto_continue: z.exactOptional(flag),
  max_auto_continues: z.exactOptional(count),
  inject_todo_instructions: z.exactOptional(flag),
  continuation_prompt: z.exactOptional(z.nullable(text)),
  can_spawn_agents: z.exactOptional(flag),
  spawnable_agents: z.exactOptional(z.nullable(nameList)),
  max_concurrent_agents: z.exactOptional(count.check(z.minimum(1))),
  max_agent_depth: z.exactOptional(count),
  inject_spawn_instructions: z.exactOptional(flag),
  summarization_model: z.exactOptional(z.nullable(modelName)),
  summarization_threshold: z.exactOptional(count),
  escalation_timeout: z.exactOptional(z.number().check(z.positive())),
  reuse_agent_sessions: z.exactOptional(flag),
  skills_enabled: z.exactOptional(z.nullable(flag)),
  enabled_skills: z.exactOptional(z.nullable(nameList)),
  inject_skill_instructions: z.exactOptional(flag),
  skill_instructions: z.exactOptional(z.nullable(text)),
  dynamic_instructions: z.exactOptional(flag),
  variables: z.exactOptional(variablesSchema),
  conversation_starters: z.exactOptional(z.array(text.check(z.minLength(1)))),
  documents: z.exactOptional(z.array(text)),
  compression_threshold: z.exactOptional(z.nullable(count)),
  read_max_lines: z.exactOptional(count.check(z.minimum(1))),
  grep_max_matches: z.exactOptional(count.check(z.minimum(1))),
  grep_exclude: z.exactOptional(nameList),
});
type AgentFields = z.infer<typeof agentFieldsSchema>;

const LATER = 'are not supported yet; the agent works without them.';

/** Returns the fields of a file that have no effect yet, each with a message. */
export function fieldsWithoutEffect(fields: AgentFields): { key: keyof AgentFields; message: string }[] {
  const none: ReturnType<typeof fieldsWithoutEffect> = [];
  if (fields.documents?.length) none.push({ key: 'documents', message: `Documents to search in ${LATER}` });
  return none;
}

/** Converts the shared fields to a definition. */
export function definitionFrom(fields: AgentFields): Omit<AgentDefinition, 'name' | 'source' | 'prompt'> {
  const base = agentDefaults();
  const spawnsFor = fields.spawnable_agents;
  return {
    ...base,
    description: fields.description ?? base.description,
    ...(fields.model !== undefined && { model: originalModelId(fields.model) }),
    ...(fields.mcp_servers !== undefined && { servers: fields.mcp_servers }),
    ...(fields.dynamic_instructions && { dynamicInstructions: true }),
    ...(fields.temperature !== undefined && { temperature: fields.temperature }),
    ...(fields.top_p !== undefined && { topP: fields.top_p }),
    ...(fields.reasoning_effort !== undefined && { effort: fields.reasoning_effort }),
    ...(fields.work_mode !== undefined && { workMode: fields.work_mode }),
    ...(fields.agent_session && { sessionName: fields.agent_session }),
    ...(fields.compression_threshold && { compactsAbove: fields.compression_threshold }),
    ...lookingFrom(fields),
    variables: fields.variables?.map(variableOf) ?? base.variables,
    starters: fields.conversation_starters ?? base.starters,
    autoContinue: {
      on: fields.auto_continue ?? base.autoContinue.on,
      ...(fields.max_auto_continues !== undefined && { max: fields.max_auto_continues }),
      injects: fields.inject_todo_instructions ?? base.autoContinue.injects,
      ...(fields.continuation_prompt && { prompt: fields.continuation_prompt }),
    },
    spawning: spawningFrom(fields, base.spawning, spawnsFor ?? null),
    skills: {
      ...(typeof fields.skills_enabled === 'boolean' && { on: fields.skills_enabled }),
      ...(fields.enabled_skills && { names: fields.enabled_skills }),
      ...(fields.inject_skill_instructions !== undefined && { injects: fields.inject_skill_instructions }),
      ...(fields.skill_instructions && { instructions: fields.skill_instructions }),
    },
  };
}

function lookingFrom(fields: AgentFields): Pick<AgentDefinition, 'looking'> {
  const { read_max_lines: readLines, grep_max_matches: grepMatches, grep_exclude: grepExcludes } = fields;
  if (readLines === undefined && grepMatches === undefined && grepExcludes === undefined) return {};
  const looking: LookingSettings = { readLines, grepMatches, grepExcludes };
  return { looking };
}

function spawningFrom(
  fields: AgentFields,
  base: AgentDefinition['spawning'],
  agents: readonly string[] | null,
): AgentDefinition['spawning'] {
  return {
    on: fields.can_spawn_agents ?? base.on,
    agents,
    maxConcurrent: fields.max_concurrent_agents ?? base.maxConcurrent,
    maxDepth: fields.max_agent_depth ?? base.maxDepth,
    injects: fields.inject_spawn_instructions ?? base.injects,
    summarizeAbove: fields.summarization_threshold ?? base.summarizeAbove,
    ...(fields.summarization_model && { summaryModel: originalModelId(fields.summarization_model) }),
    ...(fields.reuse_agent_sessions && { reuses: true }),
    escalationTimeoutMs:
      fields.escalation_timeout === undefined ? base.escalationTimeoutMs : fields.escalation_timeout * 1000,
  };
}

function variableOf({ name, description, default: value }: z.infer<typeof variableSchema>): AgentVariable {
  return { name, description, ...(value !== undefined && { default: value }) };
}
