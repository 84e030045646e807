import * as z from '../../../base/zod';
import { modelName } from '../../content/writtenNames';
import { effortSchema } from '../../llm/model';
import { GRAPH_VERSIONS, jsonSchema, type NodeType, parseAnswerCheck, REDUCERS } from '../graph';

const text = z.string();
const filled = text.check(z.minLength(1));
const id = filled;
const flag = z.boolean();
const seconds = z.number().check(z.positive(), z.maximum(2_000_000));
const count = z.int().check(z.nonnegative(), z.maximum(1_000_000));
const schema = z.record(text, jsonSchema);
/** Other programs write numbers and booleans where text is expected. */
const template = z.pipe(z.union([text, z.number(), flag]), z.transform(String));

const budgetSchema = z.strictObject({
  tokens: z.exactOptional(z.int().check(z.positive())),
  cost: z.exactOptional(z.number().check(z.positive())),
});

const ADDED_TO_ALL = ['join', 'retry', 'budget', 'max_visits'];
const ADDED_TO: { readonly [T in NodeType]?: readonly string[] } = {
  approval: ['default', 'timeout'],
  input: ['timeout'],
  map: ['timeout', 'state_updates'],
};

/** Returns the fields that Cairn adds to a node of the original format in files of version 1.1. */
export function addedFields(type: NodeType): readonly string[] {
  return [...ADDED_TO_ALL, ...(ADDED_TO[type] ?? [])];
}

const everyNode = {
  id: z.exactOptional(text),
  description: z.exactOptional(text),
  state_updates: z.exactOptional(z.nullable(z.record(text, template))),
  join: z.exactOptional(z.enum(['all', 'each'])),
  retry: z.exactOptional(
    z.strictObject({
      attempts: z.int().check(z.minimum(1), z.maximum(100)),
      delay: z.exactOptional(z.number().check(z.nonnegative(), z.maximum(3600))),
      factor: z.exactOptional(z.number().check(z.minimum(1), z.maximum(10))),
    }),
  ),
  budget: z.exactOptional(budgetSchema),
  max_visits: z.exactOptional(z.int().check(z.minimum(1))),
};
const next = { next: z.exactOptional(z.nullable(z.union([id, z.array(id)]))) };
const timeout = { timeout: z.exactOptional(z.nullable(seconds)) };

const skillFields = {
  skills_enabled: z.exactOptional(z.nullable(flag)),
  enabled_skills: z.exactOptional(z.nullable(z.array(text))),
  inject_skill_instructions: z.exactOptional(z.nullable(flag)),
  skill_instructions: z.exactOptional(z.nullable(text)),
};

const scriptSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  type: z.literal('script'),
  script: filled,
  fallback: z.exactOptional(z.nullable(id)),
});

const commandSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  type: z.literal('command'),
  command: filled,
  fallback: z.exactOptional(z.nullable(id)),
});

const llmSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  ...skillFields,
  type: z.literal('llm'),
  prompt: text,
  instructions: z.exactOptional(z.nullable(text)),
  tools: z.exactOptional(z.nullable(z.array(text))),
  model: z.exactOptional(z.nullable(modelName)),
  temperature: z.exactOptional(z.nullable(z.number().check(z.minimum(0), z.maximum(2)))),
  top_p: z.exactOptional(z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
  reasoning_effort: z.exactOptional(z.nullable(effortSchema)),
  fallback: z.exactOptional(z.nullable(id)),
  max_attempts: z.exactOptional(count),
  max_iterations: z.exactOptional(count),
  output_schema: z.exactOptional(z.nullable(schema)),
});

const agentSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  type: z.literal('agent'),
  agent: filled,
  prompt: text,
  output_schema: z.exactOptional(z.nullable(schema)),
});

const ragSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  type: z.literal('rag'),
  documents: z.array(text),
  query: z.exactOptional(text),
  top_k: z.exactOptional(z.nullable(count)),
  embedding_model: z.exactOptional(z.nullable(text)),
  chunk_size: z.exactOptional(z.nullable(count)),
  chunk_overlap: z.exactOptional(z.nullable(count)),
  reranker_model: z.exactOptional(z.nullable(text)),
  batch_size: z.exactOptional(z.nullable(count)),
  graph_hops: z.exactOptional(z.nullable(count)),
  extractor_model: z.exactOptional(z.nullable(text)),
  extractor_prompt: z.exactOptional(z.nullable(text)),
  driver: z.exactOptional(z.nullable(text)),
});

const mapSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  type: z.literal('map'),
  over: filled,
  as: filled,
  branch: id,
  output_key: z.exactOptional(z.nullable(filled)),
  collect_into: filled,
  max_concurrency: z.exactOptional(z.nullable(count)),
});

const inputSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  type: z.literal('input'),
  question: text,
  default: z.exactOptional(z.nullable(template)),
  validation: z.exactOptional(
    z.nullable(
      text.check(
        z.refine(
          (written) => parseAnswerCheck(written) !== undefined,
          'must be written len(input) OP N, with >, >=, <, <= or == and a whole number',
        ),
      ),
    ),
  ),
});

const approvalSchema = z.strictObject({
  ...everyNode,
  ...next,
  ...timeout,
  type: z.literal('approval'),
  question: text,
  options: z.array(template),
  routes: z.record(text, id),
  on_other: id,
  default: z.exactOptional(z.nullable(template)),
});

const endSchema = z.strictObject({
  ...everyNode,
  ...next,
  type: z.literal('end'),
  output: z.exactOptional(z.nullable(template)),
});

/** The fields of each node type, as written in files. */
export const nodeSchemas = {
  script: scriptSchema,
  llm: llmSchema,
  agent: agentSchema,
  rag: ragSchema,
  map: mapSchema,
  input: inputSchema,
  approval: approvalSchema,
  end: endSchema,
  command: commandSchema,
} as const satisfies Record<NodeType, z.ZodMiniType>;

type Schemas = typeof nodeSchemas;
export type NodeFields = { [T in NodeType]: z.infer<Schemas[T]> };
export type AnyNodeFields = NodeFields[NodeType];

const names = z.array(text);

const settingsSchema = z.strictObject({
  max_loop_iterations: z.exactOptional(z.nullable(count)),
  timeout: z.exactOptional(z.nullable(z.number().check(z.positive(), z.maximum(2_000_000)))),
  log_state_snapshots: z.exactOptional(z.nullable(flag)),
  validate_before_run: z.exactOptional(z.nullable(flag)),
  max_concurrency: z.exactOptional(z.nullable(count)),
  budget: z.exactOptional(budgetSchema),
});

/** The fields of a graph file. Its nodes are validated separately, each by its type. */
export const graphFieldsSchema = z.strictObject({
  name: text.check(z.minLength(1)),
  description: z.exactOptional(z.nullable(text)),
  version: z.exactOptional(
    z.pipe(
      z.union([text, z.number()]),
      z.pipe(
        z.transform((written: string | number) => (written === 1 ? '1.0' : String(written))),
        z.enum(GRAPH_VERSIONS),
      ),
    ),
  ),
  model: z.exactOptional(z.nullable(modelName)),
  temperature: z.exactOptional(z.nullable(z.number().check(z.minimum(0), z.maximum(2)))),
  top_p: z.exactOptional(z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
  reasoning_effort: z.exactOptional(z.nullable(effortSchema)),
  global_tools: z.exactOptional(z.nullable(names)),
  mcp_servers: z.exactOptional(z.nullable(names)),
  ...skillFields,
  conversation_starters: z.exactOptional(z.nullable(names)),
  variables: z.exactOptional(z.nullable(z.array(z.looseObject({ name: text })))),
  settings: z.exactOptional(z.nullable(settingsSchema)),
  initial_state: z.exactOptional(z.nullable(z.record(text, jsonSchema))),
  reducers: z.exactOptional(z.nullable(z.record(text, z.enum(REDUCERS)))),
  start: text.check(z.minLength(1)),
  nodes: z.record(text, z.looseObject({})),
});
export type GraphFields = z.infer<typeof graphFieldsSchema>;
