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
    queued: [],
    todos: [],
    setup: { agent: 'coder', isChosen: false, role: null, skills: [], starters: [] },
    model: { id: 'demo:tour', label: 'Tour', scripted: true },
    approvalMode: 'edits-and-commands',
    usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    toReview: [],
    welcome: { workspaceName: 'sample', found: [], starters: [] },
  };
}
