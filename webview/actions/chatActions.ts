import { t } from '../../src/base/l10n';
import type { ChangeSince, ChatSnapshot, SessionSummary } from '../../src/protocol/hostApi';
import type { RequestHost } from '../../src/protocol/hostClient';
import type { ContextItem } from '../../src/protocol/messageItem';
import type { ChatStore } from '../store/chatStore';
import type { FailureLog } from '../store/failureLog';

/** Which session is shown. */
export interface ChatActions {
  /** Opens this session, or else the one the host would show. */
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

/** Actions on whole sessions: those in the list, and branches of the current one. */
export interface SessionActions {
  /** Rejects with the host's message. */
  list(): Promise<SessionSummary[]>;
  open(sessionId: string): void;
  openInEditor(sessionId: string): void;
  /** Opens the drawing of a graph run in the current session. */
  showGraph(graphId: string): void;
  /** Resolves to true on success. */
  rename(sessionId: string, title: string): Promise<boolean>;
  /** Resolves to true on success. */
  setFavorite(sessionId: string, isFavorite: boolean): Promise<boolean>;
  /** The host asks the user first. Settles once the session is deleted or the user has declined. */
  remove(sessionId: string): Promise<void>;
  /** Lists the files changed since a message. Rejects with the host's message. */
  changesSince(entryId: string): Promise<ChangeSince[]>;
  /** Continues from before a message with another text. Resolves to true if the new session is shown. */
  branch(entryId: string, text: string, restoreFiles: boolean): Promise<boolean>;
  /** Continues with everything up to the end of a run. Resolves to true if the new session is shown. */
  branchAfter(runId: string): Promise<boolean>;
}

export function sessionActions(request: RequestHost, chat: ChatStore, failures: FailureLog): SessionActions {
  const goOn = async (failure: string, ask: (sessionId: string) => Promise<ChatSnapshot>) => {
    const sessionId = chat.state?.sessionId;
    if (!sessionId) return false;
    const asked = ask(sessionId);
    // On failure the old session stays visible, and what happened in it in the meantime is fetched.
    const shown = chat.showResult(() => asked.catch(() => request('chat/open', { sessionId })));
    const done = await failures.watch(failure, asked);
    await shown;
    return done && chat.state?.sessionId !== sessionId;
  };
  return {
    list: () => request('session/list', {}),
    open: (sessionId) => void chat.open(sessionId),
    openInEditor: (sessionId) =>
      void failures.watch(t('The session could not be opened'), request('session/open-in-editor', { sessionId })),
    showGraph(graphId) {
      const sessionId = chat.state?.sessionId;
      if (sessionId === undefined) return;
      void failures.watch(t('The graph could not be shown'), request('graph/show', { sessionId, graphId }));
    },
    rename: (sessionId, title) =>
      failures.watch(t('The session could not be renamed'), request('session/rename', { sessionId, title })),
    setFavorite: (sessionId, isFavorite) =>
      failures.watch(t('The session could not be changed'), request('session/set-favorite', { sessionId, isFavorite })),
    remove: async (sessionId) => {
      await failures.watch(t('The session could not be deleted'), request('session/delete', { sessionId }));
    },
    changesSince: async (entryId) =>
      chat.state ? request('session/changes-since', { sessionId: chat.state.sessionId, entryId }) : [],
    branch: (entryId, text, restoreFiles) =>
      goOn(t('The message could not be sent'), (sessionId) =>
        request('session/branch', { sessionId, entryId, text, restoreFiles }),
      ),
    branchAfter: (runId) =>
      goOn(t('The branch could not be created'), (sessionId) => request('session/branch-after', { sessionId, runId })),
  };
}

/** Sets who answers in the current session, and what it uses. All resolve to true on success. */
export interface SetupActions {
  /** Null to clear the choice. */
  choose(kind: 'agent' | 'role', name: string | null): Promise<boolean>;
  unloadSkill(name: string): Promise<boolean>;
  /** Replaces the items sent with every message from now on. */
  pin(items: readonly ContextItem[]): Promise<boolean>;
}

export function setupActions(request: RequestHost, chat: ChatStore, failures: FailureLog): SetupActions {
  const inSession = async (failure: string, ask: (sessionId: string) => Promise<null>) => {
    const sessionId = chat.state?.sessionId;
    return sessionId !== undefined && failures.watch(failure, ask(sessionId));
  };
  return {
    choose: (kind, name) =>
      inSession(kind === 'agent' ? t('The agent was not changed') : t('The role was not changed'), (sessionId) =>
        request('setup/choose', { sessionId, kind, name }),
      ),
    unloadSkill: (name) =>
      inSession(t('The skill could not be unloaded'), (sessionId) =>
        request('setup/unload-skill', { sessionId, name }),
      ),
    pin: (items) =>
      inSession(t('The pin was not changed'), (sessionId) => request('setup/pin', { sessionId, items: [...items] })),
  };
}
