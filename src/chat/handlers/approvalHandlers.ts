import type { Handlers } from '../../protocol/hostApi';
import type { ChatApprovalHandler } from '../chatApprovalHandler';
import type { ChatUserPrompter } from '../chatUserPrompter';

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
