import * as z from '../../../base/zod';
import { jsonSchema } from '../jsonValue';
import { modelName } from '../../content/writtenNames';
import { GRAPH_VERSIONS, REDUCERS } from '../graph';
import { budgetSchema, skillFields } from './nodeFields';

const text = z.string();
const flag = z.boolean();
const count = z.int().check(z.nonnegative(), z.maximum(1_000_000));
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
