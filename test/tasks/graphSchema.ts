import * as z from 'zod';
import { GRAPH_TEXTS } from '../../src/engine/authoring/graphs/graphHelp';
import { graphFieldsSchema, nodeSchemas } from '../../src/engine/graphs/format/graphFields';
import { GRAPH_VERSIONS, jsonSchema } from '../../src/engine/graphs/graph';

/** Keys for the targets of aliases and merge keys. */
const PRIVATE_KEYS = '^x-';

type Schema = z.core.JSONSchema.JSONSchema;
type Part = Schema | boolean;
type Texts = Readonly<Record<string, string>>;

/**
 * The JSON Schema of `graph.yaml` for other editors: what Cairn accepts, with its help texts. It cannot express checks that need
 * the whole file, such as whether a node exists.
 */
export function graphJsonSchema(): Schema {
  const { properties, ...graph } = written(graphFieldsSchema, GRAPH_TEXTS.graph);
  const versions = { enum: GRAPH_VERSIONS.flatMap((version) => [version, Number(version)]) };
  const nodes: Schema = { type: 'object', additionalProperties: { $ref: '#/definitions/node' } };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A graph agent of Cairn',
    ...graph,
    properties: {
      ...properties,
      version: explained(versions, GRAPH_TEXTS.graph, 'version'),
      nodes: explained(nodes, GRAPH_TEXTS.graph, 'nodes'),
    },
    patternProperties: { [PRIVATE_KEYS]: {} },
    definitions: { node: nodeOfAnyType(), ...nodesByType() },
  };
}

/** Makes editors report problems for the given type instead of for all types. */
function nodeOfAnyType(): Schema {
  const types = Object.keys(nodeSchemas);
  return {
    type: 'object',
    required: ['type'],
    properties: { type: explained({ enum: types }, GRAPH_TEXTS.node, 'type') },
    allOf: types.map((type) => ({
      if: { required: ['type'], properties: { type: { const: type } } },
      then: { $ref: `#/definitions/${type}` },
    })),
  };
}

function nodesByType(): Record<string, Schema> {
  const schemas = Object.entries(nodeSchemas);
  return Object.fromEntries(schemas.map(([type, schema]) => [type, written(schema, GRAPH_TEXTS.node)]));
}

function written(schema: z.core.$ZodType, texts: Texts): Schema {
  const anyJson: z.core.$ZodType = jsonSchema;
  const made = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    // Accepts any JSON; the generated schema would say the same at length.
    override: ({ zodSchema, jsonSchema: json }) => {
      if (Object.is(zodSchema, anyJson)) for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
    },
  });
  delete made.$schema;
  delete made['definitions'];
  return withTexts(made, texts, '');
}

/** Adds each key's help text as its description. `place`: the keys that lead to it, each followed by a dot. */
function withTexts(schema: Schema, texts: Texts, place: string): Schema {
  const of = (part: Part) => (typeof part === 'boolean' ? part : withTexts(part, texts, place));
  const keys = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    ...(schema.anyOf && { anyOf: schema.anyOf.map((part) => withTexts(part, texts, place)) }),
    ...(typeof schema.items === 'object' && !Array.isArray(schema.items) && { items: of(schema.items) }),
    ...(keys.length > 0 && {
      properties: Object.fromEntries(
        keys.map(([key, part]) => [key, typeof part === 'boolean' ? part : explained(part, texts, `${place}${key}`)]),
      ),
    }),
  };
}

function explained(part: Schema, texts: Texts, place: string): Schema {
  const description = texts[place];
  return { ...(description !== undefined && { description }), ...withTexts(part, texts, `${place}.`) };
}
