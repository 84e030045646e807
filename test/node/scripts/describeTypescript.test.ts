import assert from 'node:assert/strict';
import { described, only, property } from '../../support/describedScript';

const typescript = (parameter: string, after = '') =>
  `/**\n * Does it.\n * @param x - What it is\n */\nexport function run(${parameter}) { return x; }\n${after}`;

describe('Describing TypeScript and JavaScript', () => {
  const said = { description: 'What it is' };
  const types: readonly (readonly [string, unknown, boolean])[] = [
    ['x: string', { type: 'string', ...said }, true],
    ['x?: string', { type: 'string', ...said }, false],
    ["x = 'a'", { type: 'string', default: 'a', ...said }, false],
    ['x: number = 3', { type: 'number', default: 3, ...said }, false],
    ['x: boolean', { type: 'boolean', ...said }, true],
    ['x: string | null', { type: 'string', ...said }, false],
    ['x: undefined | number', { type: 'number', ...said }, false],
    ['x: string[]', { type: 'array', items: { type: 'string' }, ...said }, true],
    [
      'x: readonly (number | string)[]',
      { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'string' }] }, ...said },
      true,
    ],
    ['x: Array<string[]>', { type: 'array', items: { type: 'array', items: { type: 'string' } }, ...said }, true],
    ["x: 'a' | 'b'", { type: 'string', enum: ['a', 'b'], ...said }, true],
    ['x: 1 | 2 | undefined', { type: 'number', enum: [1, 2], ...said }, false],
    ['x: Record<string, number>', { type: 'object', additionalProperties: { type: 'number' }, ...said }, true],
    [
      'x: { city: string; days?: number }',
      {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'number' } },
        required: ['city'],
        ...said,
      },
      true,
    ],
    [
      'x: { __proto__: string; city: string }',
      { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], ...said },
      true,
    ],
    [
      'x: { readonly city: string; readonly: boolean }',
      {
        type: 'object',
        properties: { city: { type: 'string' }, readonly: { type: 'boolean' } },
        required: ['city', 'readonly'],
        ...said,
      },
      true,
    ],
    ['x: Set<number>', { type: 'array', items: { type: 'number' }, ...said }, true],
    ['x: NonNullable<string>', { type: 'string', ...said }, true],
    ['x: true', { type: 'boolean', enum: [true], ...said }, true],
    ['x: Partial<{ city: string }>', { type: 'object', properties: { city: { type: 'string' } }, ...said }, true],
    [
      'x: [string, number]',
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, ...said },
      true,
    ],
    [
      'x: { [key: string]: number; city: string }',
      { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], ...said },
      true,
    ],
    ['x: unknown', said, true],
    ['x: Somebody', said, true],
  ];
  for (const [parameter, schema, isRequired] of types) {
    it(`parses “${parameter}” (P-7.2)`, async () => {
      assert.deepEqual(await property('look.ts', typescript(parameter)), { schema, isRequired });
    });
  }

  it('resolves the script’s interfaces, types and enums (P-7.2)', async () => {
    const after = `enum Unit { Celsius = 'c', Kelvin = 'k' }
type Height = number | null;
export interface Place { /** its name */ name: string; unit: Unit; height: Height; inner?: Place }
`;
    assert.deepEqual((await property('look.ts', typescript('x: Place', after))).schema, {
      type: 'object',
      properties: {
        name: { type: 'string' },
        unit: { type: 'string', enum: ['c', 'k'] },
        height: { type: 'number' },
        inner: {},
      },
      required: ['name', 'unit'],
      ...said,
    });
  });

  const ways: readonly (readonly [string, string, string])[] = [
    ['exports a function declaration', 'look.ts', '/** Does it. */\nexport async function run(a: string) {}'],
    [
      'exports an arrow function',
      'look.ts',
      '/** Does it. */\nexport const run = async (a: string): Promise<string> => a;',
    ],
    ['exports a function by default', 'look.ts', '/** Does it. */\nexport default function run(a: string) {}'],
    ['exports an anonymous function by default', 'look.ts', '/** Does it. */\nexport default async (a: string) => a;'],
    [
      'exports a function in a separate statement',
      'look.ts',
      '/** Does it. */\nfunction go(a: string) {}\nexport { go as run };',
    ],
    [
      'assigns a function to exports',
      'look.js',
      '/**\n * Does it.\n * @param {string} a\n */\nexports.run = async function (a) {};',
    ],
    [
      'lists a function in module.exports',
      'look.js',
      '/**\n * Does it.\n * @param {string} a\n */\nfunction run(a) {}\nmodule.exports = { run };',
    ],
  ];
  for (const [what, name, text] of ways) {
    it(`finds the function when a script ${what}`, async () => {
      const tool = await only(name, text);
      assert.deepEqual([tool.name, tool.description, tool.takes], ['look', 'Does it.', 'each']);
      assert.deepEqual(tool.inputSchema['properties'], { a: { type: 'string' } });
    });
  }

  it('reads functions that take one object, as in llm-functions', async () => {
    const text = `/**
 * Runs code.
 * @typedef {Object} Args
 * @property {string} code - The code
 * @property {number} [timeout] - Seconds
 * @property {('a'|'b')[]} [kinds]
 * @param {Args} args
 */
exports.run = function run({ code, timeout = 5, kinds }) {};
`;
    const tool = await only('look.js', text);
    assert.equal(tool.takes, 'object');
    assert.equal(tool.description, 'Runs code.');
    assert.deepEqual(tool.inputSchema, {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'The code' },
        timeout: { type: 'number', default: 5, description: 'Seconds' },
        kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['code'],
      additionalProperties: false,
    });
  });

  it('reads one object that is described property by property, as in llm-functions', async () => {
    const text = `/**
 * Books a room.
 * @typedef {Object} Args
 * @property {String} guest - Who comes
 * @property {Integer} nights - How long
 * @property {!NUMBER} [price=9.5]
 * @property {'quiet'|'view'} [wish]
 * @property {string[]} [extras]
 * @param {Args} args
 */
exports.run = async function (args) { return args.guest; };
`;
    const tool = await only('book.js', text);
    assert.equal(tool.takes, 'object');
    assert.deepEqual(tool.inputSchema, {
      type: 'object',
      properties: {
        guest: { type: 'string', description: 'Who comes' },
        nights: { type: 'integer', description: 'How long' },
        price: { type: 'number', default: 9.5 },
        wish: { type: 'string', enum: ['quiet', 'view'] },
        extras: { type: 'array', items: { type: 'string' } },
      },
      required: ['guest', 'nights'],
      additionalProperties: false,
    });
  });

  it('reads one object with a type of the same name for each function of an agent', async () => {
    const one = (name: string, property: string) =>
      `/**\n * Does it.\n * @typedef {Object} Args\n * @property {string} ${property}\n * @param {Args} args\n */\nexports.${name} = function (args) {};\n`;
    const { functions } = await described('tools.js', `${one('add', 'a')}${one('drop', 'b')}`, 'agent');
    assert.deepEqual(
      functions.map(({ name, takes, inputSchema }) => [name, takes, inputSchema['required']]),
      [
        ['add', 'object', ['a']],
        ['drop', 'object', ['b']],
      ],
    );
  });

  it('reads one object whose properties have “@param” tags', async () => {
    const text = `/**
 * Gets.
 * @param {Object} options
 * @param {string} options.city - The city
 * @param {number} [options.days]
 */
export const run = (options) => options.city;
`;
    const tool = await only('get.js', text);
    assert.equal(tool.takes, 'object');
    assert.deepEqual(tool.inputSchema['properties'], {
      city: { type: 'string', description: 'The city' },
      days: { type: 'number' },
    });
    assert.deepEqual(tool.inputSchema['required'], ['city']);
  });

  it('keeps a parameter with a type of its own in TypeScript as one value', async () => {
    const text = 'interface Args { city: string }\n/** Does it. */\nexport function run(args: Args) {}';
    const tool = await only('look.ts', text);
    assert.equal(tool.takes, 'each');
    assert.deepEqual(Object.keys(tool.inputSchema['properties'] ?? {}), ['args']);
  });

  it('reads an object with its own type', async () => {
    const tool = await only('look.ts', '/** Does it. */\nexport function run({ a, b }: { a: string; b?: number }) {}');
    assert.deepEqual(tool.inputSchema['properties'], { a: { type: 'string' }, b: { type: 'number' } });
    assert.deepEqual(tool.inputSchema['required'], ['a']);
  });

  it('includes every exported function of an agent', async () => {
    const text = `/** Adds. */
export function addNote(text: string) {}
function helper() {}
export const answer = 42;
/** Tells. */
export function _instructions() {}
`;
    const { functions, hasInstructions, problems } = await described('tools.ts', text, 'agent');
    assert.deepEqual(
      [functions.map(({ name, entry }) => [name, entry]), hasInstructions, problems],
      [[['addnote', 'addNote']], true, []],
    );
  });

  const wrong: readonly (readonly [string, string, number, RegExp])[] = [
    ['the syntax is invalid', 'const a = 1;\nexport function run(: {', 2, /is not valid/],
    ['nothing is exported', '/** X */\nfunction run() {}', 1, /no function run/],
    ['the doc comment is missing', 'export function run() {}', 1, /look\w* has no description for models/],
    [
      'the function has a rest parameter',
      '/** X */\nexport function run(...all: string[]) {}',
      2,
      /what \.\.\.all takes/,
    ],
    [
      'the function takes an object and another parameter',
      '/** X */\nexport function run({ a }: A, b: string) {}',
      2,
      /what \{ a \} takes/,
    ],
  ];
  for (const [what, text, line, message] of wrong) {
    it(`reports the location and the reason when ${what}`, async () => {
      const { functions, problems } = await described('look.ts', text);
      assert.deepEqual(functions, []);
      assert.match(problems.map((one) => one.message).join(), message);
      assert.equal(problems.map((one) => one.line).at(0), line);
    });
  }
});
