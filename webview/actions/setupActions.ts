import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';
import type { RequestHost } from './requestHost';

/** Who answers in the shown session, and what they are given. Both resolve with true when it was done. */
export interface SetupActions {
  /** Null for what nobody chose. */
  choose(kind: 'agent' | 'role', name: string | null): Promise<boolean>;
  unloadSkill(name: string): Promise<boolean>;
}

export function setupActions(request: RequestHost, chat: ChatStore, failures: FailureLog): SetupActions {
  const inSession = async (failure: string, ask: (sessionId: string) => Promise<null>) => {
    const sessionId = chat.state?.sessionId;
    return sessionId !== undefined && failures.watch(failure, ask(sessionId));
  };
  return {
    choose: (kind, name) =>
      inSession(`The ${kind} was not changed`, (sessionId) => request('setup/choose', { sessionId, kind, name })),
    unloadSkill: (name) =>
      inSession('The skill was not unloaded', (sessionId) => request('setup/unload-skill', { sessionId, name })),
  };
}
