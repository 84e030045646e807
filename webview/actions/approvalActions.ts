import { t } from '../../src/base/l10n';
import type { ChatApprovalAnswer } from '../../src/protocol/hostApi';
import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';
import type { SeenEnds } from '../transcript/ask/seenEnds';
import type { RequestHost } from '../../src/protocol/hostClient';

/** Answers to the agent's requests. Each resolves when the host has responded: true if it accepted the answer. */
export interface ApprovalActions {
  answer(approvalId: string, answer: ChatApprovalAnswer): Promise<boolean>;
  /** Opens the diff in the editor, where all of it is visible. */
  openDiff(approvalId: string): void;
  /** Includes or excludes a part of an edit. */
  choosePart(approvalId: string, part: number, take: boolean): void;
  answerQuestion(questionId: string, answers: readonly string[]): Promise<boolean>;
}

interface Parts {
  chat: ChatStore;
  failures: FailureLog;
  ends: SeenEnds;
}

export function approvalActions(request: RequestHost, { chat, failures, ends }: Parts): ApprovalActions {
  return {
    async answer(approvalId, answer) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return false;
      return failures.watch(
        t('Your answer could not be sent'),
        request('approval/answer', { sessionId, approvalId, answer }),
      );
    },
    openDiff(approvalId) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return;
      const opened = request('approval/open-diff', { sessionId, approvalId });
      void failures.watch(t('The diff could not be opened'), opened).then((isOpen) => isOpen && ends.add(approvalId));
    },
    choosePart(approvalId, part, take) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return;
      const chosen = request('approval/choose-part', { sessionId, approvalId, part, take });
      void failures.watch(t('The change could not be chosen'), chosen);
    },
    async answerQuestion(questionId, answers) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return false;
      const asked = request('question/answer', { sessionId, questionId, answers: [...answers] });
      return failures.watch(t('Your answer could not be sent'), asked);
    },
  };
}
