import assert from 'node:assert/strict';
import { type OutputSchema, outputMistakes, readOutputSchema } from '../../../src/engine/mcp/outputSchema';
import { withOneMcpServer } from '../../support/oneMcpServer';

function read(schema: unknown): OutputSchema {
  const found = readOutputSchema(schema);
  return typeof found === 'string' ? assert.fail(found) : found;
}

function whyNot(schema: unknown): string {
  const found = readOutputSchema(schema);
  return typeof found === 'string' ? found : assert.fail('it is used');
}

const mistakes = (value: unknown, schema: unknown) => outputMistakes(value, read(schema));
const { signal } = new AbortController();

describe('The output schema of an MCP tool', () => {
  it('validates results, with the location of each error', () => {
    const schema = {
      type: 'object',
      properties: { metres: { type: 'number' }, days: { type: 'array', items: { enum: ['Monday', 'Tuesday'] } } },
      required: ['metres'],
      additionalProperties: false,
    };
    assert.deepEqual(mistakes({ metres: 3, days: ['Monday'] }, schema), []);
    const wrong = mistakes({ metres: 'three', days: ['Monday', 'Sunday'], more: 1 }, schema).join('\n');
    assert.match(wrong, /“metres”: .*number/);
    assert.match(wrong, /“days\.1”: .*Monday/);
    assert.match(wrong, /more/);
    assert.match(mistakes({}, schema).join(), /^The value: .*metres.*\.$/);
    assert.equal(
      mistakes(
        Array.from({ length: 50 }, () => 'x'),
        { items: { type: 'number' } },
      ).length,
      5,
    );
  });

  it('may have properties named like keywords', () => {
    const named = { pattern: { type: 'string' }, const: { type: 'number' }, default: { type: 'boolean' } };
    const schema = { properties: named, const: { pattern: 'as it is' } };
    assert.deepEqual(mistakes({ pattern: 'as it is' }, schema), []);
    assert.match(mistakes({ pattern: 7 }, { properties: named }).join(), /“pattern”/);
    assert.match(mistakes({ const: 'x' }, { properties: named }).join(), /“const”/);
    assert.match(mistakes({ default: 'x' }, { properties: named }).join(), /“default”/);
  });

  it('cannot be made slow: patterns are removed, with everything that depends on them', () => {
    const slow = '^(a+)+$';
    const schema = {
      properties: { text: { pattern: slow }, pattern: { pattern: slow }, const: { pattern: slow } },
      patternProperties: { [slow]: { type: 'number' } },
      additionalProperties: false,
      examples: [{ pattern: slow }],
    };
    const text = `${'a'.repeat(60)}!`;
    assert.match(whyNot({ ...schema, anyOf: [{ $ref: '#/examples/0' }, true] }), /examples/);
    assert.deepEqual(mistakes({ text, pattern: text, const: text, [text]: 'x' }, schema), []);
  });

  it('is followed only to a limited depth when it is recursive', () => {
    const levels = Array.from({ length: 40 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { allOf: [next, next] }] as const;
    });
    const $defs = { ...Object.fromEntries(levels), d40: { type: 'object' } };
    assert.match(whyNot({ $defs, $ref: '#/$defs/d0' }), /references are circular/);
    const within = { $defs, properties: { only: { $ref: '#/$defs/d0' } } };
    assert.deepEqual(mistakes({ only: {} }, within), [], 'nothing is known of it then');
    assert.notEqual(whyNot({ $ref: '#' }), '');
  });

  it('is ignored when it is invalid, too large, too deep, or has a dangling reference', () => {
    let deep: object = {};
    for (let at = 0; at < 200; at++) deep = { not: deep };
    for (const [schema, words] of [
      [7, /^it is not an object$/],
      [[], /^it is not an object$/],
      [{ description: 'x'.repeat(30_000) }, /^it has 30\d\d\d characters, more than 30000$/],
      [deep, /^it is nested more than 100 levels deep$/],
      [{ $ref: '#/$defs/nowhere' }, /nowhere/],
      [{ $id: 'http://[' }, /./],
    ] as const)
      assert.match(whyNot(schema), words);
  });

  it('limits the work of validation, whatever the number of errors and conditions', () => {
    const numbers = { list: new Array(4900).fill(1) };
    assert.equal(mistakes(numbers, { properties: { list: { items: { type: 'string' } } } }).length, 5);
    const objects = { list: Array.from({ length: 4900 }, () => ({})) };
    const names = Array.from({ length: 3500 }, (_, at) => `n${at}`);
    const many = Array.from({ length: 2500 }, () => ({ not: {} }));
    const words = Array.from({ length: 1000 }, () => ({ maxLength: 5 }));
    for (const items of [
      { allOf: many },
      { required: names },
      { enum: names },
      { allOf: Array.from({ length: 500 }, () => ({ $ref: '#/$defs/all' })) },
    ])
      assert.deepEqual(
        mistakes(objects, { $defs: { all: { allOf: words.slice(0, 100) } }, properties: { list: { items } } }),
        [],
      );
    const unique = Array.from({ length: 1200 }, () => ({ uniqueItems: true }));
    assert.deepEqual(mistakes(objects, { properties: { list: { allOf: unique } } }), []);
    assert.deepEqual(mistakes({ text: 'x'.repeat(900_000) }, { properties: { text: { allOf: words } } }), []);
    assert.deepEqual(mistakes({ ['x'.repeat(900_000)]: 1 }, { allOf: many, additionalProperties: false }), []);
    assert.equal(mistakes({ text: 'x'.repeat(900_000) }, { properties: { text: { maxLength: 5 } } }).length, 1);
  });

  it('is not applied to a result that is too large', () => {
    const schema = { type: 'array', uniqueItems: true, items: { type: 'string' } };
    assert.deepEqual(mistakes(new Array(100_000).fill(7), schema), []);
    assert.notDeepEqual(mistakes([7, 7], schema), []);
  });
});

describe('The structured result of an MCP tool', function () {
  this.timeout(60_000);

  it('is sent with its text and reported errors, and a broken schema only disables the check', () =>
    withOneMcpServer('structured', async ({ servers, server, call }) => {
      const { tools, problems } = await servers.check(await server(), signal);
      assert.equal(tools.length, 2);
      assert.match(problems.join('\n'), /^Results of the tool “odd” are not checked by its outputSchema: .*nowhere/);
      const told = async (tool: string, input: object) => (await call(tool, input)).text;
      assert.match(await told('height', { metres: 3 }), /<result>\nIt is 3 high\.\n<\/result>$/);
      const unfit = await told('height', { metres: '</result>three' });
      assert.match(unfit, /It is &lt;\/result>three high\./);
      assert.match(unfit, /does not match its own schema, so do not rely on it:\n<result>\n“metres”: /);
      assert.match(await told('height', { silent: true }), /It announced structured content but sent none/);
      assert.match(await told('odd', { metres: 'x' }), /<result>\nIt is x high\.\n<\/result>$/);
    }));
});
