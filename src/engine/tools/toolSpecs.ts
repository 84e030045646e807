import { type JSONSchema, toJSONSchema } from 'zod/v4/core';
import { memoizeByObject } from '../../base/memoizeByObject';
import * as z from '../../base/zod';
import { callable, checkPlugin, fields } from '../checkPlugin';
import type { ToolSpec } from '../llm/llmClient';
import { TOOL_CATEGORIES } from '../permissions/permissionRule';
import { offeredSchema } from './plugin/offeredSchema';
import { timeoutSchema } from './plugin/pluginTool';
import { type AnyTool, defineTool, type Tool } from './tool';
import { type ToolRegistry, untold } from './toolRegistry';

/**
 * Returns the available tools as models see them. Separate from the registry, because the code that generates JSON Schemas is
 * large, and not needed before the first request.
 */
export const toolSpecs = memoizeByObject(({ offered }: ToolRegistry): readonly ToolSpec[] =>
  offered.map(({ name, description, input, parameters }) => ({
    name,
    description,
    parameters: parameters ? offeredSchema(parameters) : parametersOf(input, withoutOurBounds),
  })),
);

/**
 * Defines a tool of a program and generates its schema immediately: a tool that cannot be described to a model would fail every
 * run, even those that do not use it. Throws EngineError `invalid-input` in that case, and for an invalid field.
 */
export function defineProgramTool<Input>(tool: Tool<Input>): AnyTool {
  checkPlugin('tool', tool, toolSchema);
  try {
    return { ...defineTool(tool), parameters: parametersOf(tool.input, withoutUsualBounds) };
  } catch (error) {
    throw untold(tool.name, error);
  }
}

const method = z.optional(callable);

const toolSchema = z.lazy(() =>
  fields({
    name: z.string(),
    description: z.string(),
    category: z.enum(TOOL_CATEGORIES),
    traits: z.optional(z.object({})),
    concurrent: z.optional(z.boolean()),
    waits: z.optional(z.boolean()),
    timeoutMs: z.optional(timeoutSchema),
    input: z.custom((value) => value instanceof z.AnySchema, 'expected a schema of zod 4'),
    title: callable,
    permission: callable,
    preview: method,
    touches: method,
    run: callable,
  }),
);

type Change = (context: { jsonSchema: JSONSchema.BaseSchema }) => void;

function parametersOf(input: AnyTool['input'], override: Change): Readonly<Record<string, unknown>> {
  const schema = Object.entries(toJSONSchema(input, { io: 'input', override }));
  // Every vendor knows which dialect it reads; stating it would only cost tokens.
  return Object.fromEntries(schema.filter(([key]) => key !== '$schema'));
}

/** Every call is checked for non-empty strings and safe integers; stating this everywhere would only cost tokens. */
function withoutUsualBounds({ jsonSchema }: { jsonSchema: JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
}

/**
 * For Cairn's own tools, whose calls are validated and answered in words, also removes what the descriptions imply: that nothing
 * else is accepted, and that a number or a list starts at one.
 */
function withoutOurBounds(context: { jsonSchema: JSONSchema.BaseSchema }): void {
  withoutUsualBounds(context);
  const { jsonSchema } = context;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === 1) delete jsonSchema.minimum;
  if (jsonSchema.minItems === 1) delete jsonSchema.minItems;
}
