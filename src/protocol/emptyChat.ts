import type { ChatState } from './chatState';

/** Returns the state of a chat in which nothing has happened. */
export function emptyChat(
  session: Pick<ChatState, 'sessionId' | 'setup' | 'model' | 'approvalMode' | 'welcome'>,
): ChatState {
  return {
    title: '',
    entries: [],
    run: null,
    canResume: false,
    approvals: [],
    questions: [],
    queued: [],
    todos: [],
    usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    toReview: [],
    ...session,
  };
}
