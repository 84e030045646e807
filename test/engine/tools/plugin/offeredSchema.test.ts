import assert from 'node:assert/strict';
import * as z from 'zod';
import type { JsonSchema } from '../../../../src/engine/tools/plugin/checkArguments';
import { offeredSchema } from '../../../../src/engine/tools/plugin/offeredSchema';
import type { PluginInput } from '../../../../src/engine/tools/plugin/pluginTool';
import { withWorld } from '../../../support/engineWorld';
import type { ModelRequest } from '../../../support/modelServer/modelRequest';
import type { Step } from '../../../support/modelServer/story';

const text = { type: 'string' };
const number = { type: 'number' };

describe('The schema of a tool as models get it', () => {
  const cases: [what: string, schema: JsonSchema, offered: JsonSchema][] = [
    [
      'stays as it is if every vendor accepts it',
      { type: 'object', properties: { a: text, b: { anyOf: [text, number] } }, required: ['a'] },
      { type: 'object', properties: { a: text, b: { anyOf: [text, number] } }, required: ['a'] },
    ],
    [
      'has all properties of alternatives at the top, and requires what they all require',
      {
        type: 'object',
        properties: { id: text },
        oneOf: [
          { properties: { kind: { const: 'a' }, x: number }, required: ['kind', 'x'] },
          { properties: { kind: { const: 'b' }, y: number }, required: ['kind'] },
        ],
      },
      {
        type: 'object',
        properties: { id: text, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, x: number, y: number },
        required: ['kind'],
      },
    ],
    [
      'has and requires everything that is combined at the top',
      {
        type: 'object',
        allOf: [{ properties: { a: text }, required: ['a'] }, { $ref: '#/$defs/More' }],
        $defs: { More: { type: 'object', properties: { b: number }, required: ['b'] } },
      },
      {
        type: 'object',
        properties: { a: text, b: number },
        required: ['a', 'b'],
        $defs: { More: { type: 'object', properties: { b: number }, required: ['b'] } },
      },
    ],
    [
      'says what lists contain, also of a parameter with the name of a keyword',
      {
        type: 'object',
        properties: {
          all: { type: 'array' },
          pair: { type: ['array', 'null'], items: [text, number] },
          default: { type: 'array' },
          known: { type: 'array', items: text, default: [{ type: 'array' }] },
          any: true,
        },
      },
      {
        type: 'object',
        properties: {
          all: { type: 'array', items: {} },
          pair: { type: ['array', 'null'], items: { anyOf: [text, number] } },
          default: { type: 'array', items: {} },
          known: { type: 'array', items: text, default: [{ type: 'array' }] },
          any: {},
        },
      },
    ],
    [
      'has keys that every vendor accepts',
      {
        type: 'object',
        properties: { top: text, $top: number, 'filter[name]': text, '@': text, ['k'.repeat(70)]: text },
        required: ['$top', 'top'],
      },
      {
        type: 'object',
        properties: { top: text, top_2: number, filter_name: text, value: text, ['k'.repeat(60)]: text },
        required: ['top_2', 'top'],
      },
    ],
    [
      'leaves out names of dialects and references that lead nowhere',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/nowhere',
        type: 'object',
        properties: { a: text },
      },
      { type: 'object', properties: { a: text } },
    ],
  ];
  for (const [what, schema, offered] of cases) {
    it(what, () => assert.deepEqual(offeredSchema(schema), offered));
  }

  it('is made in time from one that refers to itself many times', () => {
    const again = Array.from({ length: 50 }, () => ({ $ref: '#' }));
    const offered = offeredSchema({ type: 'object', properties: { a: text }, anyOf: again, allOf: again });
    assert.deepEqual(offered, { type: 'object', properties: { a: text } });
  });
});

const schemaOfTool = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) });
const described = z.looseObject({ parameters: schemaOfTool.optional(), input_schema: schemaOfTool.optional() });
const toolsOf = z.looseObject({ tools: z.array(described.extend({ function: described.optional() })) });

/** Returns why Anthropic or OpenAI would refuse a request because of one of its tools. */
function refusal({ body }: ModelRequest): string | undefined {
  for (const { input_schema: own, parameters = own, function: nested } of toolsOf.parse(body).tools) {
    const { properties, ...rest } = schemaOfTool.parse(nested?.parameters ?? parameters);
    const refused = ['oneOf', 'anyOf', 'allOf'].find((key) => Object.hasOwn(rest, key));
    if (refused !== undefined) return `input_schema does not support ${refused} at the top level`;
    if (Object.keys(properties).some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))) return 'Property keys should match';
  }
  return undefined;
}

describe('A tool with a schema that vendors refuse', () => {
  const odd = {
    type: 'object',
    oneOf: [{ required: ['$top'] }, { required: ['skip'] }],
    properties: { $top: { type: 'number' }, skip: { type: 'number' } },
  };
  for (const model of ['anthropic:test-model', 'openai:test-model']) {
    it(`can be called, and fails no request, with ${model}`, async () => {
      const seen: PluginInput[] = [];
      let answers = 0;
      const step = (request: ModelRequest): Step => {
        const message = refusal(request);
        if (message !== undefined) return { fail: { status: 400, body: { error: { message } } } };
        answers++;
        if (answers === 1) return { call: [{ name: 'page', arguments: { top: 'ten' } }] };
        return answers === 2 ? { call: [{ name: 'page', arguments: { top: 10 } }] } : { say: 'Done.' };
      };
      await withWorld({ story: [{ when: () => true, step }] }, async (world) => {
        world.engine.registerTool({
          name: 'page',
          description: 'Pages.',
          category: 'read',
          inputSchema: odd,
          run: (input) => {
            seen.push(input);
            return Promise.resolve('A page.');
          },
        });
        const { outcome } = await world.play('go', { model });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Done.' });
        assert.deepEqual(seen, [{ $top: 10 }]);
        const [, corrected] = world.server.requests;
        assert.match(corrected?.lastText ?? '', /\btop: expected number, got string/);
      });
    });
  }
});
