import assert from 'node:assert/strict';
import { EventProjector } from '../../src/chat/eventProjector';
import { replayHistory } from '../../src/chat/replayHistory';
import type { ChatState, GraphEntry } from '../../src/protocol/chatState';
import { reduceChat } from '../../src/protocol/reduceChat';
import { emptyChat } from '../support/emptyChat';
import { withWorld } from '../support/engineWorld';

const GRAPH = `
name: flow
start: a
nodes:
  a: { type: llm, prompt: "Name three", output_schema: { type: object, properties: { list: { type: array } } }, next: b }
  b: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, next: done }
  each: { type: llm, prompt: "Say {{item}}" }
  done: { type: end, output: "{{all}}" }
`;

const graphsIn = ({ entries }: ChatState) => entries.filter((entry): entry is GraphEntry => entry.kind === 'graph');

describe('A graph in a chat', () => {
  it('has one card with a row for each node, unchanged after a restart', () => {
    const story = [
      {
        when: ({ lastText }: { lastText: string }) => lastText.startsWith('Name'),
        step: { say: '{"list": [1, 2, 3]}' },
      },
      { when: () => true, step: { say: 'yes' } },
    ];
    return withWorld({ files: { '.cairn/agents/flow/graph.yaml': GRAPH }, story }, async (world) => {
      const { events } = await world.play('go', { agent: 'flow' });
      const projector = new EventProjector();
      const state = events.flatMap((event) => projector.project(event)).reduce(reduceChat, emptyChat('s'));
      const [card, ...others] = graphsIn(state);
      assert.ok(card);
      assert.equal(others.length, 0);
      assert.equal(card.status, 'completed');
      assert.deepEqual(
        card.nodes.map(({ node, step, status, note, items }) => [node, step, status, note, items]),
        [
          ['a', 0, 'done', '→ b', null],
          ['b', 1, 'done', '→ done', { done: 3, of: 3 }],
          ['done', 2, 'done', '', null],
        ],
      );
      const { engine } = await world.restart();
      const replayed = new EventProjector();
      const [kept] = graphsIn(
        replayHistory(await engine.sessions.open(world.sessionId), engine)
          .flatMap((event) => replayed.project(event))
          .reduce(reduceChat, emptyChat('s')),
      );
      assert.equal(kept?.status, 'completed');
      assert.deepEqual(
        kept.nodes.map(({ node, status, note, tokens }) => [node, status, note, tokens]),
        card.nodes.map(({ node, status, note, tokens }) => [node, status, note, tokens]),
      );
    });
  });
});
