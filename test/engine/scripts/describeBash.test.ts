import assert from 'node:assert/strict';
import { describeBash } from '../../../src/engine/scripts/describeScript';
import type { ScriptKind } from '../../../src/engine/scripts/scriptDescription';

function described(text: string, kind: ScriptKind = 'tool', path = '/tools/look_up.sh') {
  return describeBash({ path, language: 'bash', text }, kind);
}

function one(text: string) {
  const { functions, problems } = described(text);
  assert.deepEqual(problems, []);
  assert.equal(functions.length, 1);
  const [first] = functions;
  assert.ok(first);
  return first;
}

/** Returns the schema of the parameter that a comment declares. */
function property(tag: string) {
  const { inputSchema } = one(`# @describe Does it.\n# ${tag}\nmain() { :; }\n`);
  const { properties, required } = inputSchema;
  assert.ok(typeof properties === 'object' && properties !== null);
  const [entry] = Object.entries(properties);
  return { entry, required };
}

describe('describeBash', () => {
  it('treats a file as one tool named after it', () => {
    const tool = one('#!/usr/bin/env bash\nset -e\n\n# @describe Looks a word up.\n\nmain() {\n  :\n}\n');
    assert.equal(tool.name, 'look_up');
    assert.equal(tool.description, 'Looks a word up.');
    assert.equal(tool.entry, 'main');
    assert.deepEqual(tool.inputSchema['properties'], {});
  });

  it('joins the lines of a description', () => {
    assert.equal(
      one('# @describe Looks up.\n#   In two\n# lines.\n\nmain() { :; }').description,
      'Looks up.\nIn two\nlines.',
    );
  });

  it('derives a callable tool name from the file name (P-7.1)', () => {
    const { functions } = described('# @describe X\nmain() { :; }', 'tool', '/tools/My-Tool.v2.sh');
    assert.deepEqual(
      functions.map(({ name }) => name),
      ['my_tool_v2'],
    );
  });

  const types: readonly (readonly [string, unknown, boolean])[] = [
    ['@option --text Words', { type: 'string', description: 'Words' }, false],
    ['@option --text! Words', { type: 'string', description: 'Words' }, true],
    ['@option -t --text! <TEXT> Words', { type: 'string', description: 'Words' }, true],
    ['@option --count <INT> How many', { type: 'integer', description: 'How many' }, false],
    ['@option --count=3 <INT> How many', { type: 'integer', default: 3, description: 'How many' }, false],
    ['@option --ratio! <NUM>', { type: 'number' }, true],
    ['@option --word*', { type: 'array', items: { type: 'string' } }, false],
    ['@option --word+ <INT>', { type: 'array', items: { type: 'integer' } }, true],
    ['@option --word*, Words', { type: 'array', items: { type: 'string' }, description: 'Words' }, false],
    [
      '@option --unit[celsius|kelvin] Unit',
      { type: 'string', enum: ['celsius', 'kelvin'], description: 'Unit' },
      false,
    ],
    ['@option --unit![celsius|kelvin]', { type: 'string', enum: ['celsius', 'kelvin'] }, true],
    ['@option --unit[=celsius|kelvin]', { type: 'string', enum: ['celsius', 'kelvin'], default: 'celsius' }, false],
    ['@option --unit*[a|b]', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, false],
    ['@option --level[1|2] <INT>', { type: 'integer', enum: [1, 2] }, false],
    ['@option --name="two words" Name', { type: 'string', default: 'two words', description: 'Name' }, false],
    ['@option --day=`today` Day', { type: 'string', description: 'Day' }, false],
    ['@option --unit[`units`] Unit', { type: 'string', description: 'Unit' }, false],
    ['@option --key! $API_KEY The key', { type: 'string', description: 'The key' }, true],
    ['@option --key <TEXT> $$ The key', { type: 'string', description: 'The key' }, false],
    ['@option --price Costs $US 5', { type: 'string', description: 'Costs $US 5' }, false],
    ['@flag --all Everything', { type: 'boolean', description: 'Everything' }, false],
    ['@flag -a --all', { type: 'boolean' }, false],
    ['@arg text! Words', { type: 'string', description: 'Words' }, true],
  ];
  for (const [tag, schema, isRequired] of types) {
    it(`parses “${tag}” (P-7.2)`, () => {
      const { entry, required } = property(tag);
      assert.deepEqual(entry?.[1], schema);
      assert.deepEqual(required, isRequired ? [entry?.[0]] : []);
    });
  }

  it('returns option names as models give them, with how they are written', () => {
    const { parameters } = one('# @describe X\n# @option --dry-run-for! <INT>\n# @flag -v\nmain() { :; }');
    assert.deepEqual(parameters, [
      { name: 'dry_run_for', variable: 'dry_run_for', option: '--dry-run-for' },
      { name: 'v', variable: 'v', option: '-v', isFlag: true },
    ]);
  });

  it('turns each “@cmd” function of an agent into a tool', () => {
    const text = [
      '# @cmd Adds a note',
      '# @option --text! What it says',
      'add-note() { :; }',
      '',
      '# @cmd Lists notes',
      'function list { :; }',
      '',
      '_hidden() { :; }',
      'helper() { :; }',
      '# @cmd Not for models',
      '_secret() { :; }',
    ].join('\n');
    const { functions, problems, hasInstructions } = described(text, 'agent');
    assert.deepEqual(problems, []);
    assert.equal(hasInstructions, false);
    assert.deepEqual(
      functions.map(({ name, entry, line }) => [name, entry, line]),
      [
        ['add_note', 'add-note', 1],
        ['list', 'list', 5],
      ],
    );
    assert.deepEqual(functions[1]?.inputSchema['properties'], {});
  });

  it('detects that an agent provides its own instructions, which no model calls (P-7.1)', () => {
    const text = '# @cmd Tells\n_instructions() { echo hello; }';
    const { functions, hasInstructions, problems } = described(text, 'agent');
    assert.deepEqual([functions, hasInstructions, problems], [[], true, []]);
  });

  it('returns the variables and programs that the script needs', () => {
    const text =
      '# @describe X\n# @env TIDE_KEY! The key\n# @env LLM_OUTPUT=/dev/stdout The output\n# @meta require-tools jq curl\nmain() { :; }';
    const { variables, programs } = described(text);
    assert.deepEqual(variables, [
      { name: 'TIDE_KEY', isRequired: true, description: 'The key' },
      { name: 'LLM_OUTPUT', isRequired: false, default: '/dev/stdout', description: 'The output' },
    ]);
    assert.deepEqual(programs, ['jq', 'curl']);
  });

  const wrong: readonly (readonly [string, string, number, RegExp])[] = [
    ['the description is missing', '#!/bin/bash\nmain() { :; }', 1, /look_up has no description.*@describe/],
    ['the description is empty', '\n# @describe\nmain() { :; }', 2, /look_up has no description/],
    ['the function is missing', '# @describe X\nmian() { :; }', 1, /no function main/],
    ['an option is malformed', '# @describe X\n# @option count\nmain() { :; }', 2, /is not valid.*@option --count/],
    ['an option has an extra character', '# @describe X\n# @option --count?!x\nmain() { :; }', 2, /is not valid/],
    [
      'a parameter is defined twice',
      '# @describe X\n# @option --a-b\n# @flag --a_b\nmain() { :; }',
      3,
      /a_b is already defined above/,
    ],
  ];
  for (const [what, text, line, message] of wrong) {
    it(`reports the location and the fix when ${what}`, () => {
      const { functions, problems } = described(text);
      assert.deepEqual(functions, []);
      assert.deepEqual(
        problems.map((one) => one.line),
        [line],
      );
      assert.match(problems.map((one) => one.message).join(), message);
    });
  }

  it('skips one bad tool of an agent and keeps the others', () => {
    const { functions, problems } = described('# @cmd Good\ngood() { :; }\n# @cmd\nbad() { :; }', 'agent');
    assert.deepEqual(
      functions.map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(
      problems.map(({ line }) => line),
      [3],
    );
  });

  it('keeps only the visible characters of a description, up to a limit', () => {
    const { description } = one(`# @describe Nice\u202e\u200b tool\u0007 ${'x'.repeat(1_000_000)}\nmain() { :; }`);
    assert.match(description, /^Nice tool x/);
    assert.ok(description.length <= 4100);
  });

  it('never returns a tool name longer than providers accept', () => {
    const command = 'c'.repeat(60);
    const text = `# @cmd Does it\n${command}() { :; }\n`;
    const { functions } = described(text, 'tool', `/tools/${'l'.repeat(60)}.sh`);
    assert.deepEqual(
      functions.map(({ name, entry }) => [name, entry]),
      [[`${'l'.repeat(60)}_ccc`, command]],
    );
  });

  it('rejects a script with 10,000 options', () => {
    const options = Array.from({ length: 10_000 }, (_, at) => `# @option --o${at}`).join('\n');
    const { functions, problems } = described(`# @describe X\n${options}\nmain() { :; }`);
    assert.deepEqual(functions, []);
    assert.match(problems.map(({ message }) => message).join(), /at most 200/);
  });
});
