import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';
import type { RequestHost } from './requestHost';

/** What a turn changed, after it changed it. */
export interface ReviewActions {
  show(runId: string): void;
  keep(runId: string): void;
  undo(runId: string): void;
  /** Puts the files back as they were before a message; the editor asks first. */
  restore(messageId: string): void;
}

export function reviewActions(request: RequestHost, chat: ChatStore, failures: FailureLog): ReviewActions {
  const act = (runId: string, action: 'show' | 'keep' | 'undo', problem: string) => {
    const sessionId = chat.state?.sessionId;
    if (sessionId) void failures.watch(problem, request('review/act', { sessionId, runId, action }));
  };
  return {
    show: (runId) => act(runId, 'show', 'The changes could not be opened'),
    keep: (runId) => act(runId, 'keep', 'The changes could not be kept'),
    undo: (runId) => act(runId, 'undo', 'The changes could not be undone'),
    restore(messageId) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return;
      void failures.watch('The files were not restored', request('checkpoint/restore', { sessionId, messageId }));
    },
  };
}
