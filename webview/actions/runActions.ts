import { t } from '../../src/base/l10n';
import type { RequestHost } from '../../src/protocol/hostClient';
import type { MessageItem } from '../../src/protocol/messageItem';
import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';

/** The run of the shown session. All do nothing while no session is shown. */
export interface RunActions {
  /** Starts a run, or steers the one under way. True when the host has taken the message. */
  send(text: string, items?: readonly MessageItem[]): Promise<boolean>;
  /** Takes a queued message back; undefined when the model has it already. */
  withdraw(messageId: string): Promise<{ text: string; items: MessageItem[] } | undefined>;
  /** Interrupts what the agent does, so that it sees what is queued. */
  sendNow(): void;
  /** Of the shown session, or of an agent that was started in it. */
  cancel(agentSessionId?: string): void;
  resume(): void;
  /** Ends one command and not the run. */
  stopCall(entryId: string): void;
  /** Goes to a terminal with what a command writes. */
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
