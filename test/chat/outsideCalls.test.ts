import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import type { LiveChat } from '../../src/chat/liveChat';
import type { ApprovalAnswer } from '../../src/engine';
import { until } from '../editor/until';
import { chatsOf } from '../support/chatsOf';
import { withWorld } from '../support/engineWorld';

describe('Tool calls outside a run', () => {
  const input = { command: 'touch made' };

  it('are shown and ask for approval in the chat of their session', () => {
    const answered = new Deferred<ApprovalAnswer>();
    const options = { approvalMode: 'edits-and-commands', approve: () => answered.promise } as const;
    return withWorld(options, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      const calling = world.engine.callTool('execute_command', input, { sessionId: world.sessionId });
      await until('it to ask', () => Promise.resolve(chat.state.approvals.length === 1));
      answered.resolve({ kind: 'once' });
      assert.equal((await calling).status, 'ok');
      assert.deepEqual(chat.state.approvals, []);
      const tools = chat.state.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.status] : []));
      assert.deepEqual(tools, ['ok']);
      chats.dispose();
    });
  });

  it('open a chat when none is open', () => {
    const answered = new Deferred<ApprovalAnswer>();
    const options = { approvalMode: 'edits-and-commands', approve: () => answered.promise } as const;
    return withWorld(options, async (world) => {
      const opened: LiveChat[] = [];
      const chats = chatsOf(world, {}, opened);
      const calling = world.engine.callTool('execute_command', input, { workspace: world.folder });
      const isAsking = () => opened.some((chat) => chat.state.approvals.length === 1);
      await until('a chat to ask', () => Promise.resolve(isAsking()));
      answered.resolve({ kind: 'reject', by: 'person' });
      assert.equal((await calling).status, 'rejected');
      chats.dispose();
    });
  });
});
