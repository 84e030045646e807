import { type ChatState, emptyChat as emptyState } from '../../src/protocol/chatState';
import { plainSetup } from './plainSetup';

/** An empty chat of the tour. */
export function emptyChat(sessionId: string): ChatState {
  return emptyState({
    sessionId,
    setup: plainSetup,
    model: { id: 'demo:tour', label: 'Tour', scripted: true },
    approvalMode: 'edits-and-commands',
    welcome: { workspaceName: 'sample', project: [], instructions: [], starters: [] },
  });
}
