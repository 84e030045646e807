import type { Handlers, HostApi } from '../protocol/hostApi';
import type { ChatApprovalHandler } from './chatApprovalHandler';
import type { ChatUserPrompter } from './chatUserPrompter';
import type { LiveChats } from './liveChats';

type RunMethods =
  'run/stop-call' | 'run/start' | 'run/resume' | 'run/steer' | 'run/cancel' | 'run/withdraw' | 'run/send-now';

export function runHandlers({ chats }: { chats: LiveChats }): Handlers<RunMethods> {
  const send = async ({ sessionId, text, items = [] }: HostApi['run/start']['params']) => {
    const handle = await (await chats.open(sessionId)).send({ text, items });
    return { runId: handle?.id ?? '' };
  };
  return {
    'run/start': send,
    'run/steer': async (params) => {
      await send(params);
      return null;
    },
    'run/resume': async ({ sessionId }) => ({ runId: (await chats.open(sessionId)).run().id }),
    'run/cancel': async ({ sessionId }) => {
      (await chats.open(sessionId)).cancel();
      return null;
    },
    'run/stop-call': async ({ sessionId, entryId }) => {
      (await chats.open(sessionId)).stopCall(entryId);
      return null;
    },
    'run/withdraw': async ({ sessionId, messageId }) => (await chats.open(sessionId)).withdraw(messageId) ?? null,
    'run/send-now': async ({ sessionId }) => {
      await (await chats.open(sessionId)).sendNow();
      return null;
    },
  };
}

export function approvalHandlers({
  approvals,
  prompter,
}: {
  approvals: ChatApprovalHandler;
  prompter: ChatUserPrompter;
}): Handlers<'approval/answer' | 'approval/choose-part' | 'approval/open-diff' | 'question/answer'> {
  return {
    'approval/answer': ({ approvalId, answer }) => {
      approvals.answer(approvalId, answer);
      return Promise.resolve(null);
    },
    'approval/choose-part': async ({ approvalId, part, take }) => {
      await approvals.choosePart(approvalId, part, take);
      return null;
    },
    'approval/open-diff': async ({ approvalId }) => {
      await approvals.openDiff(approvalId);
      return null;
    },
    'question/answer': ({ questionId, answers }) => {
      prompter.answer(questionId, answers);
      return Promise.resolve(null);
    },
  };
}
