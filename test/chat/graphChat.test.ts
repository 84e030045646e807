import assert from 'node:assert/strict';
import { until } from '../editor/until';
import { graphOf, graphRuns, runOf, withGraph } from '../engine/graphs/graphWorld';
import { openChat } from '../support/openChat';

const ask = (prompt: string, next: string) =>
  `{ type: llm, prompt: ${prompt}, state_updates: { said: "{{output}}" }, next: ${next} }`;
const GRAPH = graphOf(
  `  a: ${ask('First', 'b')}\n  b: ${ask('Second', 'c')}\n  c: { type: end, output: "It is {{said}}." }\n`,
);

describe('The chat of a graph agent', () => {
  it('continues a failed run where it was, and shows its nodes and its answer', async () => {
    let isBroken = true;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) =>
          isBroken && lastText === 'Second' ? { fail: { status: 400 } } : { say: lastText.toUpperCase() },
      },
    ];
    await withGraph(GRAPH, { story }, async (world) => {
      const chat = await openChat(world);
      await chat.session.configure({ agent: 'flow' });
      await chat.run({ text: 'Hello' }).outcome;
      await until('the end of the first run', () => chat.state.run === null);
      isBroken = false;
      const { view } = await runOf(world);
      chat.runGraph({ id: view.id, isRetry: false });
      assert.throws(() => chat.runGraph({ id: view.id, isRetry: false }), /already has a run in progress/);
      await until('the answer', () =>
        chat.state.entries.some((entry) => entry.kind === 'text' && entry.text === 'It is SECOND.'),
      );
      await until('the end', () => chat.state.run === null);
      const asked = world.server.requests.map(({ lastText }) => lastText);
      assert.deepEqual(
        asked.filter((text) => text === 'First' || text === 'Second'),
        ['First', 'Second', 'Second'],
      );
      const users = chat.state.entries.filter(({ kind }) => kind === 'user');
      assert.equal(users.length, 1);
      assert.equal((await graphRuns(world).list()).runs.length, 1);
      chat.dispose();
    });
  });
});
