import { type JSONSchema, toJSONSchema } from 'zod/v4/core';
import * as z from '../../base/zod';
import { memoizeByObject } from '../../base/memoizeByObject';
import { callable, checkPlugin, fields } from '../checkPlugin';
import type { ToolSpec } from '../llm/llmClient';
import { TOOL_CATEGORIES } from '../permissions/permissionRule';
import { timeoutSchema } from './plugin/pluginTool';
import { untold } from './registeredTools';
import { type AnyTool, defineTool, type Tool } from './tool';
import type { ToolRegistry } from './toolRegistry';

/**
 * The tools at hand as models are told of them. Apart from the registry, because what makes JSON Schemas is large, and nothing
 * needs it before the first question.
 */
export const toolSpecs = memoizeByObject(({ offered }: ToolRegistry): readonly ToolSpec[] =>
  offered.map(({ name, description, input, parameters }) => ({
    name,
    description,
    parameters: parameters ?? parametersOf(input, withoutOurBounds),
  })),
);

/**
 * A tool of a program, whose schema is told right here: what cannot be told to a model would fail every run, also those that do
 * not want it. Throws EngineError `invalid-input` then, and where a field does not fit.
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
  // Every vendor knows which dialect it reads; saying it would only cost tokens.
  return Object.fromEntries(schema.filter(([key]) => key !== '$schema'));
}

/** That a text is not empty and an integer is one are checked with each call; saying it everywhere would only cost tokens. */
function withoutUsualBounds({ jsonSchema }: { jsonSchema: JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
}

/**
 * Of our own tools, whose calls are checked and answered in words, neither what follows from the words of a schema: that
 * nothing else is taken, and that a number or a list begins with one.
 */
function withoutOurBounds(context: { jsonSchema: JSONSchema.BaseSchema }): void {
  withoutUsualBounds(context);
  const { jsonSchema } = context;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === 1) delete jsonSchema.minimum;
  if (jsonSchema.minItems === 1) delete jsonSchema.minItems;
}
