import assert from 'node:assert/strict';
import { yamlReady } from '../../../src/engine/content/yamlSource';
import { readGraph } from '../../../src/engine/graphs/format/readGraph';
import { graphOf } from './graphText';

const PATH = '/agents/one/graph.yaml';
const END = 'nodes:\n  done:\n    type: end\n';

async function problemsOf(text: string): Promise<string[]> {
  await yamlReady(text);
  return readGraph(text, PATH).problems.map(
    ({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`,
  );
}

describe('A graph file', () => {
  it('supports every field of every node type, with the original defaults', async () => {
    const graph = await graphOf(`
name: all
model: openai/gpt-x
initial_state: { list: [1, 2], flag: true }
reducers: { list: append }
settings: { max_concurrency: 3, timeout: 60, log_state_snapshots: false }
start: one
nodes:
  one: { type: script, script: a.sh, next: [two, three], fallback: done }
  two: { type: llm, prompt: "Say {{initial_prompt}}", tools: [read_file, "mcp:web"], next: four, output_schema: { type: object } }
  three: { type: agent, agent: helper, prompt: p, state_updates: { b: "{{output}}", a: "x" }, next: four }
  four: { type: map, over: "{{list}}", as: item, branch: two, collect_into: all, next: five }
  five: { type: input, question: q, default: d, validation: "len(input) >= 3", next: six }
  six: { type: approval, question: ok?, options: [yes please, no], routes: { yes please: seven, no: done }, on_other: five }
  seven: { type: rag, documents: [a.md], next: done }
  done: { type: end, output: "{{all}}" }
`);
    assert.equal(graph.version, '1.0');
    assert.equal(graph.model, 'openai:gpt-x');
    assert.deepEqual(graph.settings, {
      maxVisits: 100,
      timeoutMs: 60_000,
      validatesFirst: true,
      maxConcurrency: 3,
    });
    assert.deepEqual([...graph.nodes.keys()], ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'done']);
    assert.deepEqual(graph.nodes.get('one'), {
      ...{ id: 'one', type: 'script', script: 'a.sh', next: ['two', 'three'], fallback: 'done' },
      ...{ timeoutMs: 30_000, updates: [] },
    });
    const two = graph.nodes.get('two');
    assert.ok(two?.type === 'llm');
    assert.deepEqual([two.maxAttempts, two.maxIterations, two.timeoutMs], [1, 10, undefined]);
    const three = graph.nodes.get('three');
    assert.ok(three?.type === 'agent');
    assert.equal(three.timeoutMs, 300_000);
    assert.deepEqual(
      three.updates.map(({ key }) => key),
      ['b', 'a'],
    );
    const five = graph.nodes.get('five');
    assert.ok(five?.type === 'input');
    assert.deepEqual(five.check, { operator: '>=', length: 3, text: 'len(input) >= 3' });
    const seven = graph.nodes.get('seven');
    assert.ok(seven?.type === 'rag');
    assert.equal(seven.query, '{{initial_prompt}}');
  });

  it('accepts a number as its version, as YAML reads 1.0', async () => {
    assert.equal((await graphOf(`name: a\nversion: 1.0\nstart: done\n${END}`)).version, '1.0');
    assert.equal((await graphOf(`name: a\nversion: 1.1\nstart: done\n${END}`)).version, '1.1');
  });

  it('gets a warning for unknown keys, with a suggestion (D-9)', async () => {
    const text = `name: a\nstart: done\nmodle: x:y\n${END}    outputs: hello\n`;
    assert.deepEqual(await problemsOf(text), [
      '3:1 warning Unknown key “modle”. Did you mean “model”?',
      '7:5 warning Unknown key “outputs”. Did you mean “output”?',
    ]);
  });

  it('reports the location of an invalid value', async () => {
    const text = `name: a\nstart: done\nnodes:\n  ask:\n    type: input\n    question: q\n    validation: length > 3\n    next: done\n  done: { type: end }\n`;
    assert.deepEqual(await problemsOf(text), [
      '7:17 error “validation”: must be written len(input) OP N, with >, >=, <, <= or == and a whole number.',
    ]);
  });

  it('suggests quotes for names and templates that YAML does not read as text', async () => {
    const nodes = `  a: { type: llm, prompt: p, next: 1 }\n  b: { type: llm, prompt: p, next: [1] }\n  c:\n    type: llm\n    prompt: {{topic}}\n    state_updates: { k: {{output}} }\n    next: done\n`;
    assert.deepEqual(await problemsOf(`name: a\nstart: done\n${END}${nodes}  1: { type: end }\n`), [
      '6:36 error “next”: expected string or array, received number. Put the text in quotes.',
      '7:37 error “next.0”: expected string, received number. Put the text in quotes.',
      '10:13 error “prompt”: expected string, received a map. Put the text in quotes.',
      '11:25 error “state_updates.k”: expected string or number or boolean, received a map. Put the text in quotes.',
    ]);
  });

  it('reports unknown and missing node types', async () => {
    const text = `name: a\nstart: done\nnodes:\n  done: { type: ent }\n  bare: { prompt: x }\n`;
    assert.deepEqual(await problemsOf(text), [
      '4:17 error There is no node type “ent”. Did you mean “end”?',
      '5:3 error The node “bare” has no “type”. Use one of: script, llm, agent, rag, map, input, approval, end, command.',
    ]);
  });

  it('keeps its nodes in file order, even those with integer IDs', async () => {
    const nodes = ['b', '10', 'a', '2'].map((id) => `  ${id}: { type: end }\n`).join('');
    const text = `name: a\nstart: b\nnodes:\n${nodes}`;
    assert.deepEqual([...(await graphOf(text)).nodes.keys()], ['b', '10', 'a', '2']);
    assert.deepEqual(await problemsOf(text.replace('start: b', 'start: nowhere_near')), [
      '2:8 error “start” names the node “nowhere_near”, which does not exist. The nodes are: b, 10, a, 2.',
    ]);
  });

  it('is read the same while it is edited, node by node', async () => {
    const nodes = (more: string, routes: string) =>
      `  # a line more\n  a: { type: llm, prompt: p, promt: q, next: b }\n  b: { type: approval, question: q, options: [x, y], routes: { ${routes} }, on_other: done${more} }\n`;
    const version = (written: string) => `name: a\nversion: "${written}"\nstart: a\n${END}`;
    const texts = [
      version('1.1') + nodes('', 'x: done, y: a'),
      version('1.1') + nodes('', 'y: a, x: done'),
      version('1.1') + nodes(', retry: { attempts: 2 }', 'y: a, x: done'),
      version('1.0') + nodes(', retry: { attempts: 2 }', 'y: a, x: done'),
      version('1.1') + nodes(', timeout: ~', 'y: a, x: done'),
      version('1.1') + nodes(', timeout: .inf', 'y: a, x: done'),
      version('1.1') + nodes(', timeout: 5', 'y: a, x: done').replace('  # a line more\n', ''),
    ];
    const read = (text: string, path: string) => {
      const { graph, readable, problems } = readGraph(text, path);
      const asks = readable?.nodes.get('b');
      const found = problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
      return { isWhole: graph !== undefined, asks, routes: asks?.type === 'approval' && [...asks.routes], found };
    };
    for (const text of texts) await yamlReady(text);
    const anew = texts.map((text, at) => read(text, `/agents/${at}/graph.yaml`));
    const [seen, edited] = [anew.map(({ found }) => found.join('|')), texts.map((text) => read(text, PATH))];
    assert.deepEqual(edited, anew);
    assert.equal(new Set(seen).size, 4, seen.join('\n'));
  });

  it('requires an existing start, and node ids equal to their names', async () => {
    assert.deepEqual(await problemsOf(`name: a\nstart: dome\n${END}    id: other\n`), [
      '2:8 error “start” names the node “dome”, which does not exist. Did you mean “done”?',
      '6:9 error “id” must be “done”, the name of the node, or be left out.',
    ]);
  });

  it('rejects the name __proto__ everywhere, and accepts names of other object properties', async () => {
    const lost = '“__proto__” cannot be the name of a node or a key. Give it another name.';
    const text = `name: a\nstart: done\ninitial_state: { list: [{ __proto__: 1 }] }\n${END}  "\\x5f_proto__": { type: end }\n`;
    assert.deepEqual(await problemsOf(text), [`3:27 error ${lost}`, `7:3 error ${lost}`]);
    const graph = await graphOf(
      `name: a\nstart: constructor\ninitial_state: { toString: 1 }\nreducers: { toString: sum }\nnodes:\n  constructor: { type: approval, question: q, options: [valueOf], routes: { valueOf: hasOwnProperty }, on_other: hasOwnProperty, state_updates: { toString: "1" } }\n  hasOwnProperty: { type: end }\n`,
    );
    const asks = graph.nodes.get('constructor');
    assert.deepEqual(asks?.updates, [{ key: 'toString', template: '1' }]);
    assert.deepEqual(asks.type === 'approval' && [...asks.routes], [['valueOf', 'hasOwnProperty']]);
    assert.deepEqual(Object.entries(graph.initialState), [['toString', 1]]);
    assert.equal(graph.reducers.get('toString'), 'sum');
  });

  it('applies merge keys, whose own values take precedence, and reports what they add once, where it is written', async () => {
    const text = `
name: a
version: "1.1"
start: one
x-base: &base
  type: llm
  prompt: "Say {{initial_prompt}}"
  retry: &tries { attempts: 3, delay: 5 }
  next: done
nodes:
  one:
    <<: *base
    prompt: Own
    retry: { <<: *tries, attempts: 2 }
    next: two
  two: { <<: *base }
  done: { type: end }
`;
    const { nodes } = await graphOf(text);
    const [one, two] = ['one', 'two'].map((id) => nodes.get(id));
    assert.ok(one?.type === 'llm' && two?.type === 'llm');
    assert.deepEqual([one.prompt, one.retry, one.next], ['Own', { attempts: 2, delayMs: 5000, factor: 2 }, ['two']]);
    assert.deepEqual([two.prompt, two.retry?.attempts, two.next], ['Say {{initial_prompt}}', 3, ['done']]);
    assert.deepEqual(await problemsOf(text), []);
    assert.deepEqual(await problemsOf(text.replace('  next: done\n', '  next: 5\n  nxt: done\n')), [
      '9:9 error “next”: expected string or array, received number. Put the text in quotes.',
      '10:3 warning Unknown key “nxt”. Did you mean “next”?',
    ]);
  });

  it('rejects an unknown version, and warns that Cairn extensions have no effect in version 1.0', async () => {
    assert.match((await problemsOf(`name: a\nversion: "2"\nstart: done\n${END}`)).join(), /^2:10 error “version”/);
    assert.deepEqual(await problemsOf(`name: a\nstart: done\n${END}    join: all\n`), [
      '6:5 warning “join” needs format version 1.1 and has no effect here. Write version: "1.1" at the top.',
    ]);
    assert.deepEqual(
      await problemsOf(`name: a\nstart: done\nsettings: { budget: { tokens: 5 }, timeout: 5 }\n${END}`),
      [
        '3:13 warning “settings.budget” needs format version 1.1 and has no effect here. Write version: "1.1" at the top.',
      ],
    );
    const added = [
      'ask: { type: input, question: q, timeout: 5, next: done }',
      'choose: { type: approval, question: q, options: [], routes: {}, on_other: done, default: a, timeout: 5 }',
      'each: { type: map, over: "{{l}}", as: i, branch: done, collect_into: l, timeout: 5, state_updates: { n: a }, next: done }',
    ];
    const nodes = added.map((node) => `  ${node}\n`).join('');
    assert.deepEqual(
      (await problemsOf(`name: a\nstart: done\n${END}${nodes}`)).map((problem) => problem.split(' needs ')[0]),
      [
        '6:36 warning “timeout”',
        '7:83 warning “default”',
        '7:95 warning “timeout”',
        '8:75 warning “timeout”',
        '8:87 warning “state_updates”',
      ],
    );
    assert.deepEqual(await problemsOf(`name: a\nversion: "1.1"\nstart: done\n${END}${nodes}`), []);
    const ask = (await graphOf(`name: a\nstart: done\n${END}${nodes}`)).nodes.get('ask');
    assert.equal(ask?.type === 'input' && 'timeoutMs' in ask, false);
    const odd = `name: a\nstart: done\nsettings: { budget: much }\n${END}    retry: often\n    max_visits: x\n`;
    assert.equal((await graphOf(odd)).nodes.get('done')?.retry, undefined);
    assert.match((await problemsOf(`version: "1.1"\n${odd}`)).join(), /^4:21 error/);
    const graph = await graphOf(
      `name: a\nversion: "1.1"\nstart: done\n${END}    join: all\n    retry: { attempts: 2 }\n`,
    );
    assert.deepEqual(graph.nodes.get('done')?.retry, { attempts: 2, delayMs: 1000, factor: 2 });
  });
});
