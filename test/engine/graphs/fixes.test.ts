import assert from 'node:assert/strict';
import { graphFixes, type TextFix } from '../../../src/engine/authoring/graphs/graphFixes';
import { yamlReady } from '../../../src/engine/content/yamlSource';
import { readGraph } from '../../../src/engine/graphs/format/readGraph';
import type { GraphWorld } from '../../../src/engine/graphs/validation/graphWorld';
import { validateGraph } from '../../../src/engine/graphs/validation/validateGraph';

const WORLD: GraphWorld = { agents: ['helper', 'reviewer'], skills: ['git-work'], tools: ['fs_read', 'fs_write'] };

function applied(text: string, { start, end, text: written }: TextFix): string {
  const lines = text.split('\n');
  const offset = ({ line, column }: TextFix['start']) =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return `${text.slice(0, offset(start))}${written}${text.slice(offset(end))}`;
}

/** Returns what a graph becomes by each quick fix of the only problem with a matching message: title → text. */
async function fixesOf(text: string, message: RegExp): Promise<Record<string, string>> {
  await yamlReady(text);
  const file = readGraph(text, '/agents/one/graph.yaml');
  const all = [...file.problems, ...validateGraph(file, WORLD)];
  const [problem, ...more] = all.filter((one) => message.test(one.message));
  assert.ok(problem && more.length === 0, all.map((one) => one.message).join('\n'));
  const { meant, line, column, remedies = [] } = problem;
  const words = meant && wordFix(text, { line, column }, meant);
  return Object.fromEntries(
    [...(words ? [words] : []), ...graphFixes(text, remedies)].map((fix) => [fix.title, applied(text, fix)]),
  );
}

/** Replaces a word as the editor does. */
function wordFix(
  text: string,
  at: TextFix['start'],
  { written, instead }: { written: string; instead: string },
): TextFix {
  const line = text.split('\n')[at.line - 1] ?? '';
  const from = line.indexOf(written, at.column - 1) + 1;
  assert.ok(from > 0, `${written} is not in ${line}`);
  const end = { line: at.line, column: from + written.length };
  return { title: `Change to “${instead}”`, start: { line: at.line, column: from }, end, text: instead };
}

const HEAD = 'name: one\nstart: a\n';

describe('Quick fixes for a graph', () => {
  for (const [what, nodes, message, instead] of [
    ['node', '  a: { type: llm, prompt: p, next: donne }\n  done: { type: end }\n', /names the node “donne”/, 'done'],
    [
      'agent',
      '  a: { type: agent, agent: helpr, prompt: p, next: z }\n  z: { type: end }\n',
      /no agent “helpr”/,
      'helper',
    ],
    [
      'tool',
      '  a: { type: llm, prompt: p, tools: [fs_raed], next: z }\n  z: { type: end }\n',
      /no tool “fs_raed”/,
      'fs_read',
    ],
    [
      'skill',
      '  a: { type: llm, prompt: p, enabled_skills: [git-wrok], next: z }\n  z: { type: end }\n',
      /no skill “git-wrok”/,
      'git-work',
    ],
    ['key', '  a: { type: llm, promt: p, prompt: p, next: z }\n  z: { type: end }\n', /Unknown key “promt”/, 'prompt'],
    ['type', '  a: { type: lmm, prompt: p, next: z }\n  z: { type: end }\n', /no node type “lmm”/, 'llm'],
  ] as const)
    it(`suggest the ${what} closest to a misspelled one`, async () => {
      const fixes = await fixesOf(`${HEAD}nodes:\n${nodes}`, message);
      assert.deepEqual(Object.keys(fixes), [`Change to “${instead}”`]);
    });

  it('add “next” at the end of a node in any form', async () => {
    const block = '  a:\n    type: llm\n    prompt: |\n      Say it.\n\n  b: { type: end }\n  z: { type: end }\n';
    assert.deepEqual(await fixesOf(`${HEAD}nodes:\n${block}`, /“a” has no “next”/), {
      'Write “next: b”': `${HEAD}nodes:\n  a:\n    type: llm\n    prompt: |\n      Say it.\n    next: b\n\n  b: { type: end }\n  z: { type: end }\n`,
    });
    const inBraces = `${HEAD}nodes:\n  a: { type: llm, prompt: p } # here\n  c: { type: llm, prompt: p, next: z }\n  z: { type: end }\n`;
    assert.deepEqual(await fixesOf(inBraces, /“a” has no “next”/), {
      'Write “next: c”': inBraces.replace('prompt: p }', 'prompt: p, next: c }'),
      'Write “next: z”': inBraces.replace('prompt: p }', 'prompt: p, next: z }'),
    });
    const last = `${HEAD}nodes:\n  z: { type: end }\n  a:\n      prompt: p\n      state_updates:\n        k: v # what it says\n      type: llm`;
    assert.deepEqual(await fixesOf(last, /“a” has no “next”/), { 'Write “next: z”': `${last}\n      next: z` });
    const empty = `${HEAD}nodes:\n  a:\n    type: llm\n    next:\n    prompt: p\n  z: { type: end }\n`;
    assert.deepEqual(await fixesOf(empty, /“a” has no “next”/), {
      'Write “next: z”': empty.replace('next:', 'next: z'),
    });
  });

  it('quote names that YAML misreads', async () => {
    const text = `${HEAD}nodes:\n  a: { type: llm, prompt: p }\n  "no": { type: end }\n`;
    assert.deepEqual(await fixesOf(text, /“a” has no “next”/), {
      'Write “next: "no"”': text.replace('prompt: p }', 'prompt: p, next: "no" }'),
    });
  });

  it('write the version below the name, or replace the old one', async () => {
    const nodes = 'nodes:\n  a: { type: llm, prompt: p, max_visits: 3, next: z }\n  z: { type: end }\n';
    assert.deepEqual(await fixesOf(`${HEAD}${nodes}`, /“max_visits” needs format version/), {
      'Write “version: "1.1"”': `name: one\nversion: "1.1"\nstart: a\n${nodes}`,
    });
    assert.deepEqual(await fixesOf(`version: '1.0' # old\n${HEAD}${nodes}`, /“max_visits” needs format version/), {
      'Write “version: "1.1"”': `version: "1.1" # old\n${HEAD}${nodes}`,
    });
  });

  it('allow the commands of a graph that names no tools', async () => {
    const nodes = 'nodes:\n  a: { type: command, command: ls, next: z }\n  z: { type: end }\n';
    const head = `version: "1.1"\n${HEAD}`;
    const [fix = '', ...others] = Object.entries(await fixesOf(`${head}${nodes}`, /may not run commands/)).flat();
    assert.equal(fix, 'Write “global_tools: [execute_command]”');
    assert.match(others.join(), /^global_tools: \[execute_command\]$/m);
    assert.deepEqual(await fixesOf(`global_tools: [fs_cat]\n${head}${nodes}`, /may not run commands/), {});
  });

  it('remove an unknown key with everything below it', async () => {
    const text = `${HEAD}nodes:\n  a:\n    type: llm\n    wholly_other:\n      - one\n      - two # 2\n    prompt: p\n    next: z\n  z: { type: end, next: a }\n`;
    assert.deepEqual(await fixesOf(text, /Unknown key “wholly_other”/), {
      'Remove “wholly_other”': text.replace(/ {4}wholly_other:\n.*\n.*\n/, ''),
    });
    assert.deepEqual(await fixesOf(text, /An end has no next node/), {
      'Remove “next”': text.replace(', next: a', ''),
    });
  });

  it('add empty state_updates for a script, and “join: all” for a node', async () => {
    const silent = `${HEAD}nodes:\n  a: { type: llm, prompt: p, next: [b, c] }\n  b: { type: script, script: b.sh, next: z }\n  c: { type: llm, prompt: p, next: z }\n  z: { type: end }\n`;
    assert.deepEqual(await fixesOf(silent, /What “b” writes in parallel/), {
      'Write “state_updates: {}”': silent.replace('b.sh, next: z }', 'b.sh, next: z, state_updates: {} }'),
    });
    const uneven = `${HEAD}version: "1.1"\nnodes:\n  a: { type: llm, prompt: p, next: [b, c] }\n  b: { type: llm, prompt: p, next: d }\n  c: { type: llm, prompt: p, next: e }\n  e: { type: llm, prompt: p, next: d }\n  d: { type: llm, prompt: p, next: z }\n  z: { type: end }\n`;
    const fixes = await fixesOf(uneven, /“d” runs after “b” and again after “e”/);
    assert.deepEqual(Object.keys(fixes), ['Write “join: all”']);
  });

  it('correct the form of a reference', async () => {
    const text = `${HEAD}initial_state: { list: [1] }\nnodes:\n  a: { type: llm, prompt: "{{ list }} {{list.0}}", next: z }\n  z: { type: end }\n`;
    assert.deepEqual(await fixesOf(text, /cannot contain spaces/), {
      'Change to “{{list}}”': text.replace('{{ list }}', '{{list}}'),
    });
    assert.deepEqual(await fixesOf(text, /not a path to a value/), {
      'Change to “{{list[0]”': text.replace('{{list.0', '{{list[0]'),
    });
  });

  it('never remove an unreachable node', async () => {
    const text = `${HEAD}nodes:\n  a: { type: llm, prompt: p, next: z }\n  lost: { type: llm, prompt: p, next: z }\n  z: { type: end }\n`;
    assert.deepEqual(await fixesOf(text, /Nothing leads to “lost”/), {});
  });

  it('are omitted when they would change anything else', async () => {
    const shared = `${HEAD}nodes:\n  a: &same { type: llm, prompt: p }\n  b: *same\n  z: { type: end }\n`;
    await yamlReady(shared);
    for (const id of ['a', 'b']) {
      assert.deepEqual(graphFixes(shared, [{ kind: 'set', where: ['nodes', id, 'next'], value: 'z' }]), []);
    }
    const commented = `${HEAD}nodes:\n  a: { type: llm,\n    prompt: p # the end }\n  }\n`;
    assert.deepEqual(graphFixes(commented, [{ kind: 'set', where: ['nodes', 'a', 'next'], value: 'z' }]), []);
    assert.deepEqual(graphFixes('a: [', [{ kind: 'set', where: ['b'], value: 'z' }]), []);
    assert.deepEqual(graphFixes('a: 1', [{ kind: 'set', where: ['b'], value: 'z: [' }]), []);
    assert.deepEqual(graphFixes('- a', [{ kind: 'remove', where: ['b'] }]), []);
  });

  it('keep Windows line endings', () => {
    const [fix] = graphFixes('name: one\r\nstart: a\r\n', [{ kind: 'set', where: ['version'], value: '"1.1"' }]);
    assert.deepEqual(fix, {
      title: 'Write “version: "1.1"”',
      ...{ start: { line: 1, column: 10 }, end: { line: 1, column: 10 }, text: '\nversion: "1.1"' },
    });
  });
});
