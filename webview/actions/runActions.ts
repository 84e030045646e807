import { t } from '../../src/base/l10n';
import type { RequestHost } from '../../src/protocol/hostClient';
import type { MessageItem } from '../../src/protocol/messageItem';
import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';

/** Controls the run of the current session. No-ops while no session is shown. */
export interface RunActions {
  /** Starts a run, or steers the one in progress. Resolves to true once the host has accepted the message. */
  send(text: string, items?: readonly MessageItem[]): Promise<boolean>;
  /** Takes back a queued message; undefined if the model has already seen it. */
  withdraw(messageId: string): Promise<{ text: string; items: MessageItem[] } | undefined>;
  /** Interrupts the agent's current action so that it sees queued messages. */
  sendNow(): void;
  /** Cancels the current session's run, or that of an agent started in it. */
  cancel(agentSessionId?: string): void;
  resume(): void;
  /** Stops one command without ending the run. */
  stopCall(entryId: string): void;
  /** Opens a terminal with the output of a command. */
  showInTerminal(entryId: string): void;
}

export function runActions(request: RequestHost, chat: ChatStore, failures: FailureLog): RunActions {
  return {
    async send(text, items = []) {
      const { state } = chat;
      if (!state) return false;
      const method = state.run ? 'run/steer' : 'run/start';
      const message = { sessionId: state.sessionId, text, ...(items.length > 0 && { items: [...items] }) };
      return failures.watch(t('The message could not be sent'), request(method, message));
    },
    async withdraw(messageId) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return undefined;
      try {
        const message = await request('run/withdraw', { sessionId, messageId });
        if (!message) throw new Error(t('The agent has already read it.'));
        return message;
      } catch (error) {
        failures.add(t('The message could not be withdrawn'), error);
        return undefined;
      }
    },
    sendNow() {
      const sessionId = chat.state?.sessionId;
      if (sessionId) void failures.watch(t('The run could not be interrupted'), request('run/send-now', { sessionId }));
    },
    cancel(agentSessionId) {
      const sessionId = agentSessionId ?? chat.state?.sessionId;
      if (sessionId) void failures.watch(t('The run could not be stopped'), request('run/cancel', { sessionId }));
    },
    resume() {
      const sessionId = chat.state?.sessionId;
      if (sessionId) void failures.watch(t('The run could not be continued'), request('run/resume', { sessionId }));
    },
    stopCall(entryId) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return;
      void failures.watch(t('The command could not be stopped'), request('run/stop-call', { sessionId, entryId }));
    },
    showInTerminal(entryId) {
      const sessionId = chat.state?.sessionId;
      if (sessionId)
        void failures.watch(t('The terminal could not be shown'), request('terminal/show', { sessionId, entryId }));
    },
  };
}

/** Reviews of what a turn has changed. */
export interface ReviewActions {
  show(runId: string): void;
  keep(runId: string): void;
  undo(runId: string): void;
  /** Restores the files to their state before a message; the editor asks first. */
  restore(messageId: string): void;
}

export function reviewActions(request: RequestHost, chat: ChatStore, failures: FailureLog): ReviewActions {
  const act = (runId: string, action: 'show' | 'keep' | 'undo', problem: string) => {
    const sessionId = chat.state?.sessionId;
    if (sessionId) void failures.watch(problem, request('review/act', { sessionId, runId, action }));
  };
  return {
    show: (runId) => act(runId, 'show', t('The changes could not be opened')),
    keep: (runId) => act(runId, 'keep', t('The changes could not be kept')),
    undo: (runId) => act(runId, 'undo', t('The changes could not be undone')),
    restore(messageId) {
      const sessionId = chat.state?.sessionId;
      if (!sessionId) return;
      void failures.watch(
        t('The files could not be restored'),
        request('checkpoint/restore', { sessionId, messageId }),
      );
    },
  };
}
