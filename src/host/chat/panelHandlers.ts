import { isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import { isAbort } from '../../base/abort';
import { t } from '../../base/l10n';
import type { ChatApprovalHandler, ChatUserPrompter } from '../../chat/chatApprovalHandler';
import type { LiveChat } from '../../chat/liveChat';
import type { LiveChats } from '../../chat/liveChats';
import { type AgentSession, attachmentsOf, type Engine, isOfCommand, type TypedCommands } from '../../engine';
import type { ChatSnapshot, Handlers, WrittenMessage } from '../../protocol/hostApi';
import type { ContextItem } from '../../protocol/messageItem';
import type { MessageContext } from '../context/messageContext';
import { commandId } from '../contributionPoints';
import type { ReviewLedger } from '../review/reviewLedger';
import type { SetupActions } from '../setupActions';
import type { SessionActions } from './sessionActions';

/** What the request handlers of a panel need. */
export interface ChatApiParts {
  chats: LiveChats;
  engine: Engine;
  approvals: ChatApprovalHandler;
  prompter: ChatUserPrompter;
  sessions: SessionActions;
  setup: SetupActions;
  context: MessageContext;
  /** Commands that can be typed after `/`, besides the panel's own. */
  typed: TypedCommands;
  ledger: ReviewLedger;
  /** Restores files to their state before a message, after the user has confirmed. */
  restore: (session: AgentSession, messageId: string) => Promise<void>;
  /** Subscribes the panel to this chat, starting from the snapshot. */
  attach: (chat: LiveChat) => ChatSnapshot;
  /** Runs `act` as an action started from the panel, which gets the focus back. */
  fromPanel: (act: () => PromiseLike<unknown>) => Promise<void>;
  /** The session last shown in this workspace. */
  lastShown: () => string | undefined;
  /** The absolute folder that relative link paths resolve against. */
  workspaceFolder: () => string;
}

export function sessionHandlers({
  chats,
  sessions,
  attach,
  lastShown,
}: Pick<ChatApiParts, 'chats' | 'sessions' | 'attach' | 'lastShown'>): Handlers<
  | 'chat/open'
  | 'session/new'
  | 'session/list'
  | 'session/rename'
  | 'session/set-favorite'
  | 'session/delete'
  | 'session/open-in-editor'
> {
  return {
    'chat/open': async ({ sessionId }) => attach(await chats.openBest(sessionId ?? lastShown())),
    'session/new': async () => attach(await chats.openNew()),
    'session/list': () => chats.list(),
    'session/rename': async ({ sessionId, title }) => {
      await sessions.rename(sessionId, title);
      return null;
    },
    'session/set-favorite': async ({ sessionId, isFavorite }) => {
      const { session } = await chats.open(sessionId);
      await session.configure({ isFavorite, modifiedAt: session.metadata.modifiedAt });
      return null;
    },
    'session/delete': async ({ sessionId }) => ({ deleted: await sessions.remove(sessionId) }),
    'session/open-in-editor': ({ sessionId }) => {
      sessions.openInEditor(sessionId);
      return Promise.resolve(null);
    },
  };
}

export function branchHandlers({
  chats,
  sessions,
  attach,
}: Pick<ChatApiParts, 'chats' | 'sessions' | 'attach'>): Handlers<
  'session/changes-since' | 'session/branch' | 'session/branch-after'
> {
  return {
    'session/changes-since': ({ sessionId, entryId }) => sessions.changesSince(sessionId, entryId),
    'session/branch': async ({ sessionId, entryId, text, restoreFiles }) => {
      const { messages } = (await chats.open(sessionId)).session;
      const before = messages.find(({ id }) => id === entryId);
      // The message keeps its attachments, because only its text was rewritten.
      const attachments = before?.role === 'user' ? attachmentsOf(before).filter((one) => !isOfCommand(one)) : [];
      const branch = await sessions.branch(sessionId, entryId, restoreFiles);
      await branch?.send({ text, items: [], attachments });
      return attach(branch ?? (await chats.open(sessionId)));
    },
    'session/branch-after': async ({ sessionId, runId }) => attach(await sessions.branchAfter(sessionId, runId)),
  };
}

export function setupHandlers({
  chats,
  setup,
}: Pick<ChatApiParts, 'chats' | 'setup'>): Handlers<'setup/choose' | 'setup/unload-skill' | 'setup/pin'> {
  return {
    'setup/choose': async ({ sessionId, kind, name }) => {
      const chat = await chats.open(sessionId);
      await (kind === 'agent' ? setup.chooseAgent(chat, name) : setup.chooseRole(chat, name));
      return null;
    },
    'setup/pin': async ({ sessionId, items }) => {
      await setup.pin(await chats.open(sessionId), items);
      return null;
    },
    'setup/unload-skill': async ({ sessionId, name }) => {
      const chat = await chats.open(sessionId);
      await setup.setSkills(
        chat,
        chat.session.metadata.skills.filter((one) => one !== name),
      );
      return null;
    },
  };
}

export function contextHandlers({
  context,
  typed,
  fromPanel,
}: Pick<ChatApiParts, 'context' | 'typed' | 'fromPanel'>): Handlers<
  'context/search' | 'context/from-uris' | 'context/fill' | 'commands/list' | 'prompts/write'
> {
  let searching = new AbortController();
  return {
    'context/search': async ({ query }) => {
      searching.abort();
      const mine = (searching = new AbortController());
      try {
        return await context.search(query, mine.signal);
      } catch (error) {
        // The user kept typing, so this answer is no longer needed.
        if (isAbort(error)) return [];
        throw error;
      }
    },
    'context/from-uris': ({ uris }) => context.fromUris(uris),
    'context/fill': async ({ item }) => {
      let filled: ContextItem | undefined;
      await fromPanel(async () => {
        filled = await context.fill(item);
      });
      return filled ?? null;
    },
    'prompts/write': async ({ name, words }) => {
      let written: WrittenMessage | undefined;
      await fromPanel(async () => {
        written = await context.writePrompt(name, words);
      });
      return written ?? null;
    },
    'commands/list': async () => {
      const { slashCommands } = await import('../../protocol/slashCommands');
      const [commands, prompts] = await Promise.all([
        typed.list(slashCommands().map(({ name }) => name)),
        context.prompts(),
      ]);
      return [...commands, ...prompts.filter((one) => !commands.some(({ name }) => name === one.name))];
    },
  };
}

export function editorHandlers({
  workspaceFolder,
  fromPanel,
}: Pick<ChatApiParts, 'workspaceFolder' | 'fromPanel'>): Handlers<
  'graph/show' | 'editor/open-file' | 'editor/open-link' | 'command/run'
> {
  return {
    'graph/show': async (run) => {
      await vscode.commands.executeCommand(commandId('showGraphRuns'), run);
      return null;
    },
    'editor/open-file': async ({ path, line }) => {
      const uri = vscode.Uri.file(isAbsolute(path) ? path : resolve(workspaceFolder(), path));
      const place = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
      const selection = place && new vscode.Range(place, place);
      await vscode.window.showTextDocument(uri, { preview: true, ...(selection && { selection }) });
      return null;
    },
    'editor/open-link': async ({ url }) => {
      const uri = vscode.Uri.parse(url, true);
      // Links come from a model. Open only what belongs to a browser or mail program; the editor asks the user first.
      if (!['http', 'https', 'mailto'].includes(uri.scheme))
        throw new Error(t('Links to {0}: are not opened.', uri.scheme));
      await vscode.env.openExternal(uri);
      return null;
    },
    'command/run': async ({ command }) => {
      await fromPanel(() => vscode.commands.executeCommand(commandId(command)));
      return null;
    },
  };
}

export function reviewHandlers({
  chats,
  ledger,
  restore,
}: Pick<ChatApiParts, 'chats' | 'ledger' | 'restore'>): Handlers<'review/act' | 'checkpoint/restore'> {
  return {
    'review/act': async ({ runId, action }) => {
      const files = ledger.ofTurn(runId);
      if (files.length === 0) throw new Error(t('This turn has no changes to review.'));
      const { showReview, undoTurn } = await import('../review/showReview');
      if (action === 'show') await showReview(files, runId);
      else if (action === 'keep') for (const { path } of files) ledger.keepTurn(path, runId);
      else await undoTurn(ledger, files, runId);
      return null;
    },
    'checkpoint/restore': async ({ sessionId, messageId }) => {
      await restore((await chats.open(sessionId)).session, messageId);
      return null;
    },
  };
}

/** Handlers for the buttons of code blocks and of shell commands. */
export function codeHandlers({
  chats,
  engine,
  workspaceFolder,
}: Pick<ChatApiParts, 'chats' | 'engine' | 'workspaceFolder'>): Handlers<
  'code/insert' | 'code/apply' | 'code/run' | 'terminal/show'
> {
  return {
    'terminal/show': async ({ sessionId, entryId }) => {
      (await import('../showInTerminal')).showInTerminal(await chats.open(sessionId), engine, entryId);
      return null;
    },
    'code/insert': async ({ text }) => {
      await (await import('../editor/code/applyCode')).insertCode(text);
      return null;
    },
    'code/apply': async ({ text, path }) => {
      await (await import('../editor/code/applyCode')).applyCode(text, path, workspaceFolder());
      return null;
    },
    'code/run': async ({ text }) => {
      await (await import('../editor/code/runInTerminal')).runInTerminal(text, workspaceFolder());
      return null;
    },
  };
}
