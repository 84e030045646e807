import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorText } from '../base/errors';
import { t } from '../base/l10n';
import type { LiveChat } from '../chat/liveChat';
import { LiveChats } from '../chat/liveChats';
import { KeptMessages } from '../chat/messageQueue';
import type { AgentSession } from '../engine';
import type { CairnApi } from '../library/cairnApi';
import type { FileToReview } from '../protocol/chatState';
import { COMMAND_NAMES, type CommandName } from '../protocol/commands';
import type { MessageItem } from '../protocol/messageItem';
import { ChatPanels } from './chat/chatPanels';
import { ChatSurfaces } from './chat/chatSurfaces';
import { SessionActions } from './chat/sessionActions';
import { ChatStatus, HiddenChatNotice, WaitingChats } from './chatStatus';
import { followTerminals } from './context/followTerminals';
import { MessageContext } from './context/messageContext';
import { commandId, EDITOR_CHAT, EMPTY_SCHEME, PROPOSAL_SCHEME, ROLE_SCHEME, VIEW_CHAT } from './contributionPoints';
import { customizations } from './customize/customizations';
import { FixActions } from './editor/fixActions';
import { HunkLenses } from './editor/hunkLenses';
import type { ProposalFiles } from './editor/proposalFiles';
import { editorTools } from './editorTools/editorTools';
import type { Host } from './host';
import { openCore } from './hostCore';
import { openApi } from './openApi';
import { reviewInEditor } from './review/reviewInEditor';
import type { ReviewLedger } from './review/reviewLedger';
import { toolScripts } from './scripts/toolScripts';
import { SetupActions } from './setupActions';
import { notify, NotPossible } from './shown/notify';

/** The workspaceState key of the session shown last. */
const LAST_SESSION = 'cairn.lastSession';

/** The composition root of the extension: the only place that constructs its parts. */
export class Container implements Disposable {
  private readonly disposables = new DisposableStore();
  /** The API for other extensions. */
  readonly api: CairnApi;
  private readonly host: Host;

  constructor(context: vscode.ExtensionContext) {
    const core = openCore(context, this.disposables);
    const { log, ports, files, approvals, prompter, settings, workspace, ledger, engine, config } = core;
    const surfaces = this.disposables.add(new ChatSurfaces(log));
    const show = (sessionId: string) => panels.show(sessionId);
    const waiting = this.disposables.add(new WaitingChats(log));
    const onOpened = (chat: LiveChat) => {
      const followers = new DisposableStore();
      followers.add(new HiddenChatNotice(chat, surfaces, show));
      followers.add(waiting.follow(chat));
      return followers;
    };
    const toReview = (id: string) => filesToReview(ledger, id);
    const read = async (items: readonly MessageItem[]) => {
      // Almost always resolved by now.
      await config.ready;
      return messageContext.read(items);
    };
    const kept = new KeptMessages(context.workspaceState, log);
    const chats = this.disposables.add(
      new LiveChats({ engine, workspace, settings, log, kept, onOpened, toReview, read, newSession: config.speakers }),
    );
    const lastShown = () => context.workspaceState.get<string>(LAST_SESSION);
    const rememberShown = (sessionId: string) => void context.workspaceState.update(LAST_SESSION, sessionId);
    const openInEditor = (sessionId: string) => panels.editors.open(sessionId);
    const { paths } = ports;
    const sessions = new SessionActions({ engine, chats, panels: surfaces, files, paths, openInEditor });
    const setup = new SetupActions({ engine, chats, show });
    const workspaceFolder = () => workspace.folder;
    const { review, secrets, mcp, scripts } = core;
    const mcpPlace = () => workspace.place();
    const terminals = followTerminals(this.disposables, log);
    const { agents } = engine;
    const messageContext = new MessageContext({ ...ports, terminals, files, workspaceFolder, mcp, mcpPlace, agents });
    const restore = async (session: AgentSession, messageId: string) =>
      (await import('./commands/restoreTo')).restoreTo(this.host, session, messageId);
    const asked = { approvals, prompter, ledger, restore, engine };
    const api = { chats, sessions, setup, context: messageContext, typed: engine.typed, workspaceFolder, ...asked };
    const { extensionUri } = context;
    const panels: ChatPanels = this.disposables.add(
      new ChatPanels({ extensionUri, surfaces, api, lastShown, rememberShown, log }),
    );
    const currentChat = async () => surfaces.active?.controller.chat ?? (await chats.openBest(lastShown()));
    this.disposables.add(new ChatStatus(surfaces, waiting));
    const others = { secrets, mcp, scripts, config, mcpPlace, log, files, paths, extensionUri };
    this.host = { sessions, setup, engine, chats, panels, approvals, review, ledger, ...others, currentChat };
    this.api = openApi({ engine, chats, show });
    this.register(core.proposals);
    this.offer(workspaceFolder);
  }

  /** Ends all runs with their processes, then disposes everything. */
  async shutDown(): Promise<void> {
    await this.host.engine.shutDown();
    await this.host.mcp.end();
    await this.host.ledger.flush();
    this.dispose();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Registers the features outside the chat. */
  private offer(workspaceFolder: () => string): void {
    const { scripts, mcpPlace: place, log } = this.host;
    this.disposables.add(customizations(this.host, workspaceFolder));
    this.disposables.add(toolScripts({ scripts, place, log }));
    this.disposables.add(editorTools(this.host, workspaceFolder));
  }

  private register(proposals: ProposalFiles): void {
    const { panels, log, chats, ledger, approvals, engine, secrets, config } = this.host;
    const add = (item: Disposable) => this.disposables.add(item);
    add(vscode.window.registerWebviewViewProvider(VIEW_CHAT, panels.view));
    add(vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, proposals, { isCaseSensitive: true }));
    add(vscode.window.registerWebviewPanelSerializer(EDITOR_CHAT, panels.editors));
    const fixes = { providedCodeActionKinds: FixActions.kinds };
    add(vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new FixActions(), fixes));
    add(new HunkLenses(this.host.review));
    add(reviewInEditor(ledger, log));
    const failed = (error: unknown) => log.error('A chat could not be updated', error);
    add(ledger.onChange(() => void chats.reviewChanged().catch(failed)));
    add(
      approvals.onPartsChanged(({ sessionId, ...parts }) => {
        void chats.tell(sessionId, { type: 'approval-parts-changed', ...parts }).catch(failed);
      }),
    );
    const roleText = async ({ query }: vscode.Uri) => (await import('./rolePreview')).roleText(engine, query);
    const roles = { provideTextDocumentContent: roleText };
    add(vscode.workspace.registerTextDocumentContentProvider(ROLE_SCHEME, roles));
    const empty = { provideTextDocumentContent: () => '' };
    add(vscode.workspace.registerTextDocumentContentProvider(EMPTY_SCHEME, empty));
    const modelsChanged = () => {
      chats.defaultModelChanged().catch((error: unknown) => log.error('Settings could not be applied', error));
    };
    add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('cairn')) modelsChanged();
      }),
    );
    add(config.onChange(modelsChanged));
    add(secrets.onChange(() => config.readAgain()));
    const folders = () => {
      // The set of folders that contribute agents, roles, and skills has changed.
      for (const catalog of [engine.agents, engine.roles, engine.skills]) catalog.reload();
      chats.welcomeChanged().catch((error: unknown) => log.error('The folders could not be applied', error));
    };
    add(vscode.workspace.onDidGrantWorkspaceTrust(folders));
    add(vscode.workspace.onDidChangeWorkspaceFolders(folders));
    for (const name of COMMAND_NAMES) {
      add(vscode.commands.registerCommand(commandId(name), (...given: unknown[]) => this.carryOut(name, given)));
    }
  }

  private async carryOut(name: CommandName, [argument, ...more]: unknown[]): Promise<void> {
    try {
      const { COMMAND_CODE } = await import('./commands/commandCode');
      await (await COMMAND_CODE[name]())(this.host).run(argument, ...more);
    } catch (error) {
      if (error instanceof NotPossible) return void notify('info', error.message);
      this.host.log.error(`The command ${name} failed`, error);
      const choice = await notify('error', t('Cairn: {0}', errorText(error)), { title: t('Show Log'), means: 'log' });
      if (choice) this.host.log.show();
    }
  }
}

/** A session's files left to review, for its panels: one entry per file and turn that changed it. */
function filesToReview(ledger: ReviewLedger, sessionId: string): FileToReview[] {
  return ledger.files.flatMap(({ path, parts }) =>
    parts
      .filter(({ turn }) => turn.sessionId === sessionId)
      .map(({ turn: { runId }, added, removed }) => ({
        runId,
        path: vscode.workspace.asRelativePath(vscode.Uri.file(path)),
        added,
        removed,
      })),
  );
}
