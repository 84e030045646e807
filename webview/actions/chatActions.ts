import type { ChatSnapshot } from '../../src/protocol/hostApi';
import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';
import type { RequestHost } from './requestHost';

/** Which session is shown. */
export interface ChatActions {
  /** Opens this session, or the one the host would show. */
  open(sessionId: string | undefined): void;
  newSession(): void;
}

export function chatActions(request: RequestHost, chat: ChatStore, failures: FailureLog): ChatActions {
  const show = async (ask: () => Promise<ChatSnapshot>) => {
    await chat.showResult(ask);
    if (chat.failure === null) failures.clear();
  };
  return {
    open: (sessionId) => void chat.open(sessionId),
    newSession: () => void show(() => request('session/new', {})),
  };
}
