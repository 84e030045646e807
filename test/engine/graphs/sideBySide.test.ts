import assert from 'node:assert/strict';
import { findingsIn, foundIn, graphWith, scriptsOf, tell } from './findings';

const LLM = 'type: llm, prompt: p';
const END = 'z: { type: end }';
const NEW = { version: '1.1' };
const LIST = 'initial_state: { list: [1] }';
const PRINTS_NOTHING = scriptsOf({ 'a.sh': 'echo "{}"' });

describe('Parallel branches', () => {
  const members = (more: readonly [b: string, c: string]) =>
    `a: { ${LLM}, next: [b, c] }\nb: { ${LLM}, ${more[0]} }\nc: { ${LLM}, ${more[1]} }\n`;
  tell({
    'must not ask, share keys or have unknown writes in version 1.0': {
      nodes: `a: { ${LLM}, next: [b, c, d, e] }
b: { type: approval, question: q, options: [], routes: {}, on_other: z }
c: { type: script, script: a.sh, next: z }
d: { type: agent, agent: x, prompt: "{{k}}", next: z, state_updates: { w: "1" } }
e: { ${LLM}, next: z, output_schema: { properties: { k: {}, w: {} } } }
${END}`,
      graph: { more: 'initial_state: { k: 1 }' },
      world: PRINTS_NOTHING,
      finds: [
        '6:3 error “b” asks the user while other branches of “a” run. Ask after the branches have joined, or write version: "1.1".',
        '7:3 error What “c” writes in parallel with the other branches of “a” is not known. List what it writes under “state_updates”; if it writes nothing, write state_updates: {}.',
        '8:40 error “d” reads “k”, which “e” writes at the same time, so it sees the previous value. Run one after the other.',
        '9:77 error “d” and “e” write “w” at the same time. Give it a reducer at the top (append, extend, concat, sum, max, min, merge or overwrite), or have each node write its own key.',
      ],
    },
    'may ask in version 1.1': {
      nodes: `a: { ${LLM}, next: [b, c] }\nb: { type: input, question: q, next: z }\nc: { type: script, script: a.sh, state_updates: {}, next: z }\n${END}`,
      graph: NEW,
      world: PRINTS_NOTHING,
      finds: [],
    },
    'may share a key that has a reducer': {
      nodes: `${members(['next: z, state_updates: { all: "1" }', 'next: z, state_updates: { all: "2" }'])}${END}`,
      graph: { more: 'reducers: { all: append }' },
      finds: [],
    },
    'each see their own output (D-3)': {
      nodes: `${members(['next: z, state_updates: { b: "{{output}}" }', 'next: z, state_updates: { c: "{{output}}" }'])}${END}`,
      finds: [],
    },
    'must not ask for input in version 1.0 either': {
      nodes: `a: { ${LLM}, next: [b, c] }\nb: { type: input, question: q, next: z }\nc: { ${LLM}, next: z }\n${END}`,
      finds: [
        '6:3 error “b” asks the user while other branches of “a” run. Ask after the branches have joined, or write version: "1.1".',
      ],
    },
    'each see their own output instead of a key of that name, except in their prompts': {
      nodes: `${members(['next: z, state_updates: { output: x }', 'next: z, state_updates: { c: "{{output}} {{output}}" }'])}${END}`,
      finds: [],
    },
    'must not read a key that another one writes, and are reported once': {
      nodes: `a: { ${LLM}, next: [b, c] }
b: { ${LLM}, next: z, state_updates: { output: x } }
c: { type: llm, prompt: "{{output}} {{output}}", instructions: "{{output}}", next: z }
${END}`,
      graph: { more: 'initial_state: { output: x }' },
      finds: [
        '7:28 error “c” reads “output”, which “b” writes at the same time, so it sees the previous value. Run one after the other.',
      ],
    },
    'must not share a key that a map collects into with a node that writes it': {
      nodes: `a: { ${LLM}, next: [b, c] }
b: { type: map, over: "{{list}}", as: i, branch: x, collect_into: all, next: z }
c: { ${LLM}, next: z, state_updates: { all: "1" } }
x: { ${LLM} }
${END}`,
      graph: { more: LIST },
      finds: [
        '7:56 warning “b” and “c” write “all” at the same time. Give it a reducer at the top (append, extend, concat, sum, max, min, merge or overwrite), or have each node write its own key.',
      ],
    },
    'must not share a key that maps collect into': {
      nodes: `a: { ${LLM}, next: [b, c] }
b: { type: map, over: "{{list}}", as: i, branch: x, collect_into: all, next: z }
c: { type: map, over: "{{list}}", as: i, branch: x, collect_into: all, next: z }
x: { ${LLM} }
${END}`,
      graph: { more: LIST },
      finds: [
        '7:69 warning “b” and “c” write “all” at the same time. Give it a reducer at the top (append, extend, concat, sum, max, min, merge or overwrite), or have each node write its own key.',
      ],
    },
    'must not share a key in later nodes either': {
      nodes: `${members(['next: d', 'next: e'])}d: { ${LLM}, next: z, state_updates: { all: "2" } }
e: { ${LLM}, next: z, state_updates: { all: "2" } }
z: { type: end, output: "{{all}}" }`,
      finds: [
        '9:56 warning “d” and “e” both write “all” in branches of “a” that run in parallel, so the run fails or one value is lost. Give it a reducer at the top, or have each node write its own key.',
      ],
    },
    'must not share a key in first and later nodes': {
      nodes: `${members(['next: d, state_updates: { all: "1" }', 'next: d2, state_updates: { all: "1" }'])}d: { ${LLM}, next: z, state_updates: { all: "2" } }
d2: { ${LLM}, next: z }
${END}`,
      finds: [
        '7:57 error “b” and “c” write “all” at the same time. Give it a reducer at the top (append, extend, concat, sum, max, min, merge or overwrite), or have each node write its own key.',
        '7:57 warning “d” and “c” both write “all” in branches of “a” that run in parallel, so the run fails or one value is lost. Give it a reducer at the top, or have each node write its own key.',
      ],
    },
    'may share keys with the nodes after the join': {
      nodes: `${members(['next: d, state_updates: { all: "1" }', 'next: d'])}d: { ${LLM}, next: z, state_updates: { all: "2" } }\n${END}`,
      finds: [],
    },
    'must join in the same step, or at a node that waits for all (D-14)': {
      nodes: `${members(['next: d', 'next: e'])}d: { ${LLM}, next: e }\ne: { ${LLM}, next: z }\n${END}`,
      graph: NEW,
      finds: [
        '9:3 warning “e” runs after “c” and again after “d”, whose branch is longer. Write “join: all” here, so that it waits for all branches.',
      ],
    },
    'may be longer where one of them fails': {
      nodes: `${members(['next: d', 'next: d, fallback: e'])}d: { ${LLM}, next: z }\ne: { ${LLM}, next: d }\n${END}`,
      graph: NEW,
      finds: [],
    },
    'may differ in length before a node that waits for all': {
      nodes: `${members(['next: d', 'next: e'])}d: { ${LLM}, next: e }\ne: { ${LLM}, next: z, join: all }\n${END}`,
      graph: NEW,
      finds: [],
    },
    'must not continue with a node that the fan-out itself starts': {
      nodes: `${members(['next: c', 'next: z'])}${END}`,
      finds: [
        '7:3 warning “c” runs after “a” and again after “b”, whose branch is longer. Write version: "1.1" and “join: all” here, so that it waits for all branches.',
      ],
    },
    'must not end the graph while others run, except where they fail': {
      nodes: `${members(['next: z', 'next: y, fallback: z'])}y: { type: end }\n${END}`,
      finds: [
        '8:3 warning “y” ends the graph while other branches of “a” may still run; their work is lost. Join the branches before it.',
      ],
    },
  });

  it('are not reported as cut off when their continuation is unknown', async () => {
    const nodes = `${members(['next: z', 'next: nowhere'])}${END}`;
    assert.deepEqual(await foundIn(graphWith(nodes)), [
      '7:36 error “next” names the node “nowhere”, which does not exist. The nodes are “a”, “b”, “c” and “z”.',
    ]);
  });

  it('are checked even when they outnumber the bits of an integer', async () => {
    const ids = Array.from({ length: 70 }, (_, index) => `b${index}`);
    const branches = ids.map(
      (id) => `${id}: { ${LLM}, next: ${id}x }\n${id}x: { ${LLM}, next: z, state_updates: { all: x } }`,
    );
    const found = await foundIn(graphWith(`a: { ${LLM}, next: [${ids.join(', ')}] }\n${branches.join('\n')}\n${END}`));
    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /“b0x” and “b1x” both write “all”/);
  });
});

describe('The templates of a graph', () => {
  tell({
    'must only name values written on the way to them': {
      nodes: `a: { type: llm, prompt: "{{topci}} {{late}}", next: b, state_updates: { got: "{{output}}" } }
b:
  type: llm
  prompt: |
    First
    {{late}} {{got.part}} {{output}}
  next: c
c: { ${LLM}, state_updates: { late: "1" }, next: z }
z: { type: end, output: "{{late}} {{inner}} {{gott.x}}", state_updates: { inner: "{{late}}" } }`,
      graph: { more: 'initial_state: { topic: t }' },
      finds: [
        '5:28 warning Nothing writes “topci” before “a”, so the run fails there. Did you mean “topic”?',
        '5:38 warning Nothing writes “late” before “a”, so the run fails there. Write it with an earlier node, or in initial_state.',
        '10:7 warning Nothing writes “late” before “b”, so the run fails there. Write it with an earlier node, or in initial_state.',
        '10:29 warning Nothing writes “output” before “b”, so the run fails there. Write it with an earlier node, or in initial_state.',
        '13:47 warning Nothing writes “gott” before “z”, so it becomes empty. Did you mean “got”?',
      ],
    },
    'must use the one valid form of reference': {
      nodes: `a: { type: llm, prompt: "{{ topic }} {{my-key}} {{topic:-x}} {{topic.0}} {{a..b}}", next: z }\n${END}`,
      graph: { more: 'initial_state: { topic: t }' },
      finds: [
        '5:28 warning “{{ topic }}” is left as is, because references cannot contain spaces. Write {{topic}}.',
        '5:40 warning “{{my-key}}” is left as is, because references cannot contain dashes. Name the key with “_” instead of “-”: {{my_key}}.',
        '5:51 warning “{{topic:-x}}” is left as is: a default needs format version 1.1. Write version: "1.1" at the top.',
        '5:64 warning “topic.0” is not a path to a value. Write {{topic[0]}}.',
        '5:76 warning “a..b” is not a path to a value. Write it like {{key.inner[0]}}.',
      ],
    },
    'may have a default for a value that nothing writes': {
      nodes: `a: { type: llm, prompt: "{{none:-x}}", next: z }\n${END}`,
      graph: NEW,
      finds: [],
    },
    'may name what a script mentions, since it might print it': {
      nodes: `a: { type: script, script: a.sh, next: b }\nb: { type: llm, prompt: "{{plan}} {{other}}", next: z }\n${END}`,
      world: scriptsOf({ 'a.sh': 'jq -n "{plan: 1}"' }),
      finds: [
        '6:37 warning Nothing writes “other” before “b”, so the run fails there. Write it with an earlier node, or in initial_state.',
      ],
    },
    'may name what a script writes that leads back to them': {
      nodes: `a: { type: llm, prompt: "{{notes}}", next: b }\nb: { type: script, script: a.sh, state_updates: { notes: "x" } }\n${END}`,
      world: scriptsOf({ 'a.sh': '# _next: a, z\n' }),
      finds: [],
    },
    'may name what is written before a script that may continue anywhere it mentions': {
      nodes: `a: { ${LLM}, state_updates: { notes: "x" }, next: b }\nb: { type: script, script: a.sh }\nc: { type: llm, prompt: "{{notes}} {{none}}", next: z }\n${END}`,
      world: scriptsOf({ 'a.sh': '_next=$1; c; z' }),
      finds: [
        '7:38 warning Nothing writes “none” before “c”, so the run fails there. Write it with an earlier node, or in initial_state.',
      ],
    },
  });

  it('are reported with the correct reference to use', async () => {
    const [found] = await findingsIn(
      graphWith(`a: { type: llm, prompt: "{{topci.x}}", next: z }\n${END}`, { more: 'initial_state: { topic: t }' }),
    );
    assert.deepEqual(found?.meant, { written: '{{topci.x', instead: '{{topic.x' });
  });
});

describe('A graph being edited', () => {
  it('is checked without its invalid node, and without follow-up errors', async () => {
    const nodes = `a: { ${LLM}, next: b }\nb: { type: llm }\nc: { ${LLM}, next: [d, dd] }\nd: { ${LLM}, next: z }\n${END}`;
    assert.deepEqual(await foundIn(graphWith(nodes)), [
      '7:40 error “next” names the node “dd”, which does not exist. Did you mean “d”?',
    ]);
  });

  it('gets a bounded number of findings even when designed to be slow', async () => {
    const ids = Array.from({ length: 400 }, (_, index) => `n${index}`);
    const nodes = ids.map((id) => `${id}: { ${LLM}, next: *all, state_updates: { k_${id}: "{{k_x${id}}}" } }`);
    const text = `name: one\nversion: "1.1"\nstart: n0\nsettings: { max_loop_iterations: 3 }\nnodes:\n  first: { ${LLM}, next: &all [${ids.join(', ')}] }\n  ${nodes.join('\n  ')}\n  z: { type: end }\n`;
    const found = await foundIn(text);
    assert.ok(found.length > 100 && found.length <= 1100, String(found.length));
  });
});
