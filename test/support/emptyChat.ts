import type { ChatState } from '../../src/protocol/chatState';

/** A chat in which nothing has happened. */
export function emptyChat(sessionId: string): ChatState {
  return {
    sessionId,
    title: '',
    entries: [],
    run: null,
    canResume: false,
    approvals: [],
    questions: [],
    todos: [],
    model: { id: 'demo:tour', label: 'Tour', scripted: true },
    approvalMode: 'edits-and-commands',
    toReview: [],
    usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null },
    welcome: { workspaceName: 'sample', found: [], starters: [] },
  };
}
