import assert from 'node:assert/strict';
import type { GraphPreview } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

const FILE = '.cairn/agents/flow/graph.yaml';

function preview(
  text: string,
  check: (seen: GraphPreview | undefined) => void,
  files: Record<string, string> = {},
): Promise<void> {
  return withWorld({ files: { [FILE]: 'name: flow\n', ...files } }, async ({ engine, folder }) => {
    check(await engine.content.preview(`${folder}/${FILE}`, text));
  });
}

const waysOf = (seen: GraphPreview | undefined) =>
  seen?.ways.map(({ from, to, kind, label }) => [from, to, kind, ...(label === undefined ? [] : [label])].join(' '));

describe('The preview of a graph', () => {
  it('shows every node with its lines, and every edge with its condition', () =>
    preview(
      `name: flow
start: each
nodes:
  each: { type: map, over: "{{list}}", as: one, branch: work, collect_into: all, next: ask }

  work:
    type: llm
    description: Works on one

    # Not further in, and still inside.
    prompt: "Do {{one}}"
    fallback: stop
  ask:
    type: approval
    question: Fine?
    options: [Yes, "No"]
    routes: { Yes: stop, "No": each }
    on_other: work
  stop: { type: end, output: done }
settings: { timeout: 5 }
`,
      (seen) => {
        assert.deepEqual(
          seen?.nodes.map(({ id, type, line, lastLine }) => `${id} ${type} ${line}-${lastLine}`),
          ['each map 4-4', 'work llm 6-12', 'ask approval 13-18', 'stop end 19-19'],
        );
        assert.equal(seen.nodes[1]?.description, 'Works on one');
        assert.deepEqual(waysOf(seen), [
          'each work branch',
          'each ask next',
          'work stop fallback',
          'ask stop route Yes',
          'ask each route No',
          'ask work other',
        ]);
      },
    ));

  it('includes invalid nodes and nodes that are only referenced', () =>
    preview(
      `name: flow
start: begin
nodes:
  plan: { type: lmm, next: [a, gone], fallback: a }
  a: { type: llm, next: plan, prompt: 7 }
  b: { next: { x: 1 } }
`,
      (seen) => {
        assert.deepEqual(
          seen?.nodes.map(({ id, line, isMissing }) => `${id} ${line}${isMissing ? ' missing' : ''}`),
          ['plan 4', 'a 5', 'b 6', 'begin 2 missing', 'gone 4 missing'],
        );
        assert.deepEqual(waysOf(seen), ['plan a next', 'plan gone next', 'plan a fallback', 'a plan next']);
      },
    ));

  it('includes each edge from a script once, and none from a file elsewhere', () =>
    preview(
      `name: flow
start: try
nodes:
  try: { type: script, script: try.sh, next: done }
  away: { type: script, script: ../other/try.sh, next: done }
  done: { type: end, output: x }
`,
      (seen) => assert.deepEqual(waysOf(seen), ['try done next', 'try try script', 'away done next']),
      {
        '.cairn/agents/flow/try.sh': '# _next: try, done, nobody\necho "{}"\n',
        '.cairn/agents/other/try.sh': '# _next: try\n',
      },
    ));

  it('draws no way out of a script that runs for the items of a map', () =>
    preview(
      `name: flow
start: each
nodes:
  each: { type: map, over: "{{list}}", as: one, branch: work, collect_into: all, next: done }
  work: { type: script, script: work.sh }
  done: { type: end, output: x }
`,
      (seen) => assert.deepEqual(waysOf(seen), ['each work branch', 'each done next']),
      { '.cairn/agents/flow/work.sh': '# _next: each\necho "{}"\n' },
    ));

  it('is missing while the file does not define its nodes', async () => {
    for (const text of ['', 'name: flow\nnodes: [', 'name: flow\nstart: a\nnodes: 7\n', '- a\n', '\t\u0000']) {
      await preview(text, (seen) => assert.equal(seen, undefined, JSON.stringify(text)));
    }
  });

  it('accepts names of object properties', () =>
    preview(
      'name: flow\nstart: constructor\nnodes:\n  constructor: { type: llm, prompt: x, next: toString }\n  "": { type: end, output: "" }\n',
      (seen) => {
        assert.deepEqual(
          seen?.nodes.map(({ id }) => id),
          ['constructor', '', 'toString'],
        );
        assert.deepEqual(waysOf(seen), ['constructor toString next']);
      },
    ));
});
