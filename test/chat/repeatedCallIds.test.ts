import assert from 'node:assert/strict';
import { EventProjector } from '../../src/chat/eventProjector';
import { replayHistory } from '../../src/chat/replayHistory';
import type { ChatEntry, ChatState } from '../../src/protocol/chatState';
import { reduceChat } from '../../src/protocol/reduceChat';
import { emptyChat } from '../support/emptyChat';
import { withWorld } from '../support/engineWorld';

const cardsOf = ({ entries }: ChatState) =>
  entries.flatMap((entry) => (entry.kind === 'tool' ? [`${entry.tool} ${entry.title}: ${entry.status}`] : []));
const idsOf = (entries: readonly ChatEntry[]) => entries.map(({ id }) => id);

describe('A chat with a model that reuses call IDs in each response', () => {
  it('has a separate card with its own approval for each call, also when reopened', () => {
    const asked: string[] = [];
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'alpha' },
        approve: ({ callId }) => {
          asked.push(callId);
          return { kind: 'once' };
        },
        story: [
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt' }, id: 'call_0' }] },
          { call: [{ name: 'execute_command', arguments: { command: 'npm --version' }, id: 'call_0' }] },
          { call: [{ name: 'fs_read', arguments: { path: 'missing.txt' }, id: 'call_0' }] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const live = new EventProjector();
        const { events } = await world.play('go');
        const watched = events.flatMap((event) => live.project(event)).reduce(reduceChat, emptyChat('s'));
        assert.deepEqual(
          cardsOf(watched).map((card) => card.replace(/ .*:/, ':')),
          ['fs_read: ok', 'execute_command: ok', 'fs_read: error'],
        );
        assert.equal(new Set(idsOf(watched.entries)).size, watched.entries.length);
        const command = watched.entries.find((entry) => entry.kind === 'tool' && entry.tool === 'execute_command');
        assert.deepEqual(asked, [command?.id]);
        const { engine } = await world.restart();
        const replayed = new EventProjector();
        const reopened = replayHistory(await engine.sessions.open(world.sessionId), engine)
          .flatMap((event) => replayed.project(event))
          .reduce(reduceChat, emptyChat('s'));
        assert.deepEqual(cardsOf(reopened), cardsOf(watched));
        assert.deepEqual(idsOf(reopened.entries), idsOf(watched.entries));
      },
    );
  });
});
