import assert from 'node:assert/strict';
import { yamlReady } from '../../../src/engine/content/yamlSource';
import { readGraph } from '../../../src/engine/graphs/format/readGraph';
import { validateGraph } from '../../../src/engine/graphs/validation/validateGraph';
import { tell } from './findings';
import { FLOW, graphOf, withGraph } from './graphWorld';

const HEAD = 'name: a\nversion: "1.1"\nstart: a\ninitial_state: { list: [] }\n';
const END = '  z: { type: end }\n';
const LARGE = 'This graph is too large to be checked completely. Split it into several agents.';

const several = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join('');
const prompt = (text: string) => `${HEAD}nodes:\n  a: { type: llm, prompt: "${text}", next: z }\n${END}`;

/** Graphs of less than 1 MB, the maximum that is read, each with the first problem reported for it. */
const GRAPHS: Readonly<Record<string, { text: () => string; says: string | undefined }>> = {
  'an unterminated reference full of blanks': { text: () => prompt(`{{${' '.repeat(20_000)}`), says: undefined },
  'unterminated defaults': { text: () => prompt('{{a:-'.repeat(100_000)), says: undefined },
  'names of 60,000 letters': {
    text: () =>
      `${prompt('p').replace('next: z', `next: ${'x'.repeat(60_000)}`)}  ? ${'y'.repeat(60_000)}\n  : { type: end }\n`,
    says: `“next” names the node “${'x'.repeat(60_000)}”, which does not exist. The nodes are “a”, “z” and “${'y'.repeat(60_000)}”.`,
  },
  'a map with 45,000 keys': {
    text: () =>
      `${HEAD}nodes:\n  a: { type: approval, question: q, options: [], routes: { ${several(45_000, (index) => `r${index}: z, `)} }, on_other: z }\n${END}`,
    says: 'The route “r0” is not an option, so it is taken only if someone types it. Add the option, or remove the route.',
  },
  'maps whose branches form a long chain of fallbacks': {
    text: () =>
      `${HEAD}nodes:\n  a: { type: llm, prompt: p, next: m0 }\n${several(
        900,
        (index) =>
          `  m${index}: { type: map, over: "{{list}}", as: x${index}, branch: b0, collect_into: c${index}, next: m${index + 1} }\n  b${index}: { type: llm, prompt: "{{x${index}}}", fallback: b${index + 1} }\n`,
      )}  m900: { type: end }\n  b900: { type: llm, prompt: p }\n`,
    says: LARGE,
  },
  'aliases that expand to millions of values': {
    text: () =>
      `${HEAD.replace('{ list: [] }', `{ one: &one [${several(50_000, () => '0,')}], all: [${several(99, () => '*one, ')}] }`)}nodes:\n  a: { type: end }\n`,
    says: 'The aliases here stand for more than 1,000,000 values. Write fewer of them. Correct the YAML here.',
  },
};

describe('A graph designed to be slow', function () {
  this.timeout(60_000);
  for (const [what, { text, says }] of Object.entries(GRAPHS)) {
    it(`is still checked: ${what}`, async () => {
      const written = text();
      await yamlReady(written);
      const file = readGraph(written, '/agents/one/graph.yaml');
      const [first] = [...file.problems, ...validateGraph(file, {})];
      assert.equal(first?.message, says);
    });
  }
});

describe('The YAML aliases in a graph', () => {
  it('are allowed for several hundred nodes, and each node has their values', async () => {
    const nodes = several(
      300,
      (index) => `  n${index}: { type: llm, prompt: p, next: n${index + 1}, retry: *tries }\n`,
    );
    const text = `${HEAD}nodes:\n  a: { type: llm, prompt: p, next: n0, retry: &tries { attempts: 4 } }\n${nodes}  n300: { type: end }\n`;
    await yamlReady(text);
    const { graph, problems } = readGraph(text, '/agents/one/graph.yaml');
    assert.deepEqual(problems, []);
    assert.equal(graph?.nodes.get('n299')?.retry?.attempts, 4);
  });
});

describe('The keys of a graph', () => {
  it('must be unique, in every form of map', async () => {
    const text = `${HEAD}nodes:\n  a: { type: llm, prompt: p, "prompt": q, next: z }\n${END}${END}`;
    await yamlReady(text);
    const { problems } = readGraph(text, '/agents/one/graph.yaml');
    assert.deepEqual(
      problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
      ['6:30 Map keys must be unique. Correct the YAML here.', '8:3 Map keys must be unique. Correct the YAML here.'],
    );
  });
});

describe('An answer with more keys than its schema lists', () => {
  const graph = (schema: string) =>
    graphOf(
      `  a: { type: llm, prompt: Judge, output_schema: ${schema}, next: done }\n  done: { type: end, output: "{{score}} {{initial_prompt}} {{text}}" }\n`,
    );
  const story = { story: [{ say: '{"score": 3, "initial_prompt": "curl a.b", "text": "{{initial_prompt}}"}' }] };
  const answers = (schema: string, answered: string) =>
    withGraph(graph(schema), story, async (world) => {
      assert.deepEqual((await world.play('npm test', FLOW)).outcome, { kind: 'completed', answer: answered });
    });

  it('does not replace what other nodes rely on, and references in it are not expanded', async () => {
    const listed = '{ type: object, properties: { score: { type: integer }, text: { type: string } } }';
    await answers(listed, '3 npm test {{initial_prompt}}');
  });

  it('is written as a whole where the schema allows others', async () => {
    const open = '{ type: object, properties: { score: { type: integer } }, additionalProperties: { type: string } }';
    await answers(open, '3 curl a.b {{initial_prompt}}');
  });
});

describe('The pattern of an output_schema', () => {
  tell({
    'is reported in its place if it cannot be matched in bounded time, or not at all': {
      nodes:
        `a: { type: llm, prompt: p, next: z, output_schema: { properties: { x: { pattern: '(a)\\1' }, ` +
        `y: { patternProperties: { '(': { pattern: '(a+)+$' } } } } } }\nz: { type: end }`,
      graph: { version: '1.1' },
      finds: [
        '5:84 error The pattern “(a)\\1” cannot be used. It refers back to a group with “\\1”.',
        '5:121 error “(” is not a regular expression.',
      ],
    },
  });

  it('does not hold up a run if it would take years', async () => {
    const schema = `{ type: object, properties: { text: { type: string, pattern: '^(a+)+$' } } }`;
    const graph = graphOf(
      `  a: { type: llm, prompt: p, output_schema: ${schema}, next: z }\n  z: { type: end, output: "{{text}}" }\n`,
    );
    const says = [`{"text": "${'a'.repeat(40)}!"}`, `{"text": "${'a'.repeat(40)}"}`];
    await withGraph(graph, { story: says.map((say) => ({ say })) }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'a'.repeat(40) });
    });
  });
});
