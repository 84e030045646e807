import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import { onDispose } from '../../src/base/disposable';
import { ChatApprovalHandler, ChatUserPrompter } from '../../src/chat/chatApprovalHandler';
import { approvalHandlers } from '../../src/chat/chatController';
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

  it('cannot be approved from the chat of another session', () => {
    const nothing = () => Promise.resolve();
    const diffs = { onChange: () => onDispose(() => undefined), open: nothing, close: nothing, choosePart: nothing };
    const answerFor = () => ({});
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const approvals = new ChatApprovalHandler({ ...diffs, leftOut: () => [], answerFor }, () => false, log);
    const options = { approvalMode: 'edits-and-commands' } as const;
    return withWorld({ ...options, approve: (...asked) => approvals.ask(...asked) }, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      const other = await chats.openFor({});
      const calling = world.engine.callTool('execute_command', input, { sessionId: world.sessionId });
      await until('it to ask', () => Promise.resolve(chat.state.approvals.length === 1));
      const approvalId = chat.state.approvals[0]?.approvalId ?? '';
      const handlers = approvalHandlers({ approvals, prompter: new ChatUserPrompter(), chats });
      const answer = (sessionId: string, kind: 'once' | 'reject') =>
        handlers['approval/answer']({ sessionId, approvalId, answer: { kind } });
      await assert.rejects(answer(other.state.sessionId, 'once'), /already answered, or its run is over/);
      const elsewhere = { sessionId: other.state.sessionId, approvalId };
      await assert.rejects(
        handlers['approval/choose-part']({ ...elsewhere, part: 0, take: false }),
        /already answered/,
      );
      await assert.rejects(handlers['approval/open-diff'](elsewhere), /already answered/);
      const question = { sessionId: other.state.sessionId, questionId: approvalId, answers: ['yes'] };
      await assert.rejects(handlers['question/answer'](question), /already answered/);
      await answer(world.sessionId, 'reject');
      assert.equal((await calling).status, 'rejected');
      chats.dispose();
    });
  });
});
