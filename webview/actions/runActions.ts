import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';
import type { RequestHost } from './requestHost';

/** The run of the shown session. All do nothing while no session is shown. */
export interface RunActions {
  /** Starts a run, or steers the one under way. True when the host has taken the message. */
  send(text: string): Promise<boolean>;
  cancel(): void;
  resume(): void;
  /** Ends one command and not the run. */
  stopCall(entryId: string): void;
}

export function runActions(request: RequestHost, chat: ChatStore, failures: FailureLog): RunActions {
  return {
    async send(text) {
      const { state } = chat;
      if (!state) return false;
      const method = state.run ? 'run/steer' : 'run/start';
      return failures.watch('The message was not sent', request(method, { sessionId: state.sessionId, text }));
    },
    cancel() {
      const sessionId = chat.state?.sessionId;
      if (sessionId) void failures.watch('The run could not be stopped', request('run/cancel', { sessionId }));
    },
    resume() {
      const sessionId = chat.state?.sessionId;
      if (sessionId) void failures.watch('The run could not go on', request('run/resume', { sessionId }));
    },
    stopCall(entryId) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return;
      void failures.watch('The command could not be stopped', request('run/stop-call', { sessionId, entryId }));
    },
  };
}
