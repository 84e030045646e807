import assert from 'node:assert/strict';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { findingsIn } from './findings';
import { FLOW, runOf, withGraph } from './graphWorld';

const mapOver = (list: string, nodes: string, more = '') =>
  `name: flow\nversion: "1.1"\nstart: a\ninitial_state: { list: [${list}] }\nnodes:\n  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, next: done${more} }\n${nodes}  done: { type: end, output: "{{all}}" }\n`;

/** Fails the first `times` questions that begin with `begins`; answers all others in uppercase. */
function failing(begins: string, times = Infinity) {
  let left = times;
  return {
    when: () => true,
    step: ({ lastText }: Pick<ModelRequest, 'lastText'>) =>
      lastText.startsWith(begins) && left-- > 0 ? { fail: { status: 400 } } : { say: lastText.toUpperCase() },
  };
}

describe('A map whose branch fails for an item', () => {
  it('runs the fallback for that item only, in its position', async () => {
    const graph = mapOver(
      'one, two, three',
      '  each: { type: llm, prompt: "do {{item}}", fallback: other }\n  other: { type: llm, prompt: "instead of {{item}}" }\n',
      ', max_concurrency: 3',
    );
    assert.deepEqual(await findingsIn(graph), []);
    await withGraph(graph, { story: [failing('do two')] }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: '["DO ONE","INSTEAD OF TWO","DO THREE"]' });
      const [map] = (await runOf(world)).view.nodes;
      assert.deepEqual([map?.state, map?.items, map?.itemsAround], ['done', 3, 1]);
    });
  });

  it('passes the error to the fallback in the key that the branch writes', async () => {
    const graph = mapOver(
      'one, two',
      '  each: { type: llm, prompt: "do {{item}}", state_updates: { said: "{{output}}" }, fallback: other }\n  other: { type: llm, prompt: "{{item}} said {{said}}", state_updates: { said: "{{output}}" } }\n',
      ', output_key: said',
    );
    assert.deepEqual(await findingsIn(graph), []);
    await withGraph(graph, { story: [failing('do two')] }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.equal(outcome.kind, 'completed');
      assert.match(JSON.stringify(outcome), /\[\\"DO ONE\\",\\"TWO SAID .*400.*\\"\]/);
    });
  });

  it('collects the error when the fallback leads on, and the check reports that', async () => {
    const graph = mapOver('one, two', '  each: { type: llm, prompt: "do {{item}}", fallback: done }\n');
    const [found, ...others] = await findingsIn(graph);
    assert.match(found?.message ?? '', /the map “a” collects the error and continues; “done” does not run/);
    assert.equal(others.length, 0);
    await withGraph(graph, { story: [failing('do one')] }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.match(JSON.stringify(outcome), /"completed","answer":"\[\\".*400.*\\",\\"DO TWO\\"\]"/);
    });
  });

  it('fails when the fallback fails too, and resumes with that item only', async () => {
    const graph = mapOver(
      'one, two',
      '  each: { type: llm, prompt: "do {{item}}", fallback: other }\n  other: { type: llm, prompt: "or {{item}}" }\n',
      ', max_concurrency: 1',
    );
    let isBroken = true;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: Pick<ModelRequest, 'lastText'>) =>
          isBroken && lastText.endsWith('two') ? { fail: { status: 400 } } : { say: lastText.toUpperCase() },
      },
    ];
    await withGraph(graph, { story }, async (world) => {
      assert.match(JSON.stringify((await world.play('go', FLOW)).outcome), /Item 2 of 2/);
      isBroken = false;
      const { outcome } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: '["DO ONE","DO TWO"]' });
      const asked = world.server.requests.map(({ lastText }) => lastText);
      assert.deepEqual(asked, ['do one', 'do two', 'or two', 'do two']);
    });
  });

  it('retries the item as its branch says before running the fallback', async () => {
    const graph = mapOver(
      'one, two',
      '  each: { type: llm, prompt: "do {{item}}", retry: { attempts: 2, delay: 0 }, fallback: other }\n  other: { type: llm, prompt: "or {{item}}" }\n',
      ', max_concurrency: 1',
    );
    await withGraph(graph, { story: [failing('do', 3)] }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: '["OR ONE","DO TWO"]' });
      const asked = world.server.requests.map(({ lastText }) => lastText);
      assert.deepEqual(asked, ['do one', 'do one', 'or one', 'do two', 'do two']);
      assert.equal((await runOf(world)).view.nodes[0]?.tries, 1, 'the map was tried once');
    });
  });
});

describe('A map whose branch is a script', () => {
  it('ignores the route that the script prints, even an invalid one', async () => {
    const print = 'import json, os\nitem = json.loads(os.environ["GRAPH_STATE"])["item"]\n';
    const files = {
      '.cairn/agents/flow/each.py': `${print}print(json.dumps({"said": item, "_next": [item, 7]}))\n`,
    };
    const graph = mapOver('one, two', '  each: { type: script, script: each.py }\n', ', output_key: said');
    await withGraph(graph, { files }, async (world) => {
      assert.deepEqual((await world.play('go', FLOW)).outcome, { kind: 'completed', answer: '["one","two"]' });
    });
  });
});
