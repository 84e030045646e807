import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorText } from '../base/errorText';
import { createEngine } from '../engine';
import { configFolder } from '../node/configFolder';
import { environmentAddresses } from '../node/environmentAddresses';
import { nodePorts } from '../node/nodePorts';
import { ChatApprovalHandler } from './chat/chatApprovalHandler';
import { ChatPanels } from './chat/chatPanels';
import { ChatSurfaces } from './chat/chatSurfaces';
import { ChatUserPrompter } from './chat/chatUserPrompter';
import type { LiveChat } from './chat/liveChat';
import { LiveChats } from './chat/liveChats';
import { SessionActions } from './chat/sessionActions';
import { commands } from './commands/commands';
import { COMMANDS, EDITOR_CHAT, EMPTY_SCHEME, PROPOSAL_SCHEME, VIEW_CHAT } from './contributionPoints';
import { MessageContext } from './context/messageContext';
import { DiffReview } from './editor/diffReview';
import { FixActions } from './editor/fixActions';
import { HunkLenses } from './editor/hunkLenses';
import { editorRipgrep } from './editor/editorRipgrep';
import { ProposalFiles } from './editor/proposalFiles';
import { workspaceFiles } from './editor/workspaceFiles';
import { WorkspaceInfo } from './editor/workspaceInfo';
import type { Host } from './host';
import { vscodeLmProvider } from './llm/vscodeLmProvider';
import { VscodeSecretStore } from './secrets/vscodeSecretStore';
import { LiveSettings } from './settings/liveSettings';
import { opensDiffByItself } from './settings/readSettings';
import { ChatStatus } from './status/chatStatus';
import { HiddenChatNotice } from './status/hiddenChatNotice';
import { OutputLog } from './status/outputLog';

/** Under which workspaceState keeps the session that was shown last. */
const LAST_SESSION = 'cairn.lastSession';

/** The composition root of the extension: the only place that constructs its parts. */
export class Container implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly host: Host;

  constructor(context: vscode.ExtensionContext) {
    const log = this.disposables.add(new OutputLog());
    const { env } = process;
    const ports = nodePorts({ env, ripgrepCandidates: editorRipgrep(vscode.env.appRoot), log });
    const files = workspaceFiles(ports.files, hasTrash());
    const secrets = new VscodeSecretStore(context.secrets, ports.secrets);
    const proposals = this.disposables.add(new ProposalFiles());
    const review = this.disposables.add(new DiffReview(proposals, log));
    const approvals = new ChatApprovalHandler(review, opensDiffByItself, log);
    const prompter = new ChatUserPrompter();
    const environment = environmentAddresses(env);
    const live = this.disposables.add(new LiveSettings(environment, log));
    const settings = () => live.get();
    const folder = configFolder(env);
    const workspace = new WorkspaceInfo(files, ports.paths, join(folder, 'no-folder'));
    const engine = createEngine({
      ...{ ports: { ...ports, files, secrets }, settings, approvals, prompter, platform: process.platform },
      ...{ sessionsFolder: join(folder, 'sessions'), configFolder: folder },
      extraProviders: [vscodeLmProvider()],
      scope: () => workspace.scope(),
      ...{ assetsFolder: join(context.extensionPath, 'assets'), homeFolder: homedir() },
      contentFolders: () => workspace.contentFolders(),
    });
    const surfaces = this.disposables.add(new ChatSurfaces(log));
    const show = (sessionId: string) => panels.show(sessionId);
    const onOpened = (chat: LiveChat) => new HiddenChatNotice(chat, surfaces, show);
    const chats = this.disposables.add(new LiveChats({ engine, workspace, settings, log, onOpened }));
    const lastShown = () => context.workspaceState.get<string>(LAST_SESSION);
    const rememberShown = (sessionId: string) => void context.workspaceState.update(LAST_SESSION, sessionId);
    const openInEditor = (sessionId: string) => panels.editors.open(sessionId);
    const sessions = new SessionActions({ engine, chats, surfaces, files, paths: ports.paths, openInEditor });
    const workspaceFolder = () => workspace.folder;
    const messageContext = new MessageContext({ ...ports, files, workspaceFolder });
    const api = { chats, approvals, prompter, sessions, context: messageContext, workspaceFolder };
    const { extensionUri } = context;
    const panels: ChatPanels = this.disposables.add(
      new ChatPanels({ extensionUri, surfaces, api, lastShown, rememberShown, log }),
    );
    const currentChat = async () => surfaces.active?.controller.chat ?? (await chats.openBest(lastShown()));
    this.disposables.add(new ChatStatus(surfaces));
    this.host = {
      sessions,
      engine,
      chats,
      panels,
      approvals,
      review,
      secrets,
      log,
      files,
      paths: ports.paths,
      currentChat,
    };
    this.register(proposals);
  }

  /** Ends every run with its processes. */
  async shutDown(): Promise<void> {
    await this.host.engine.shutDown();
    this.dispose();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private register(proposals: ProposalFiles): void {
    const { panels, log, chats } = this.host;
    const add = (item: Disposable) => this.disposables.add(item);
    add(vscode.window.registerWebviewViewProvider(VIEW_CHAT, panels.view));
    add(vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, proposals, { isCaseSensitive: true }));
    add(vscode.window.registerWebviewPanelSerializer(EDITOR_CHAT, panels.editors));
    const fixes = { providedCodeActionKinds: FixActions.kinds };
    add(vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new FixActions(), fixes));
    add(new HunkLenses(this.host.review));
    const empty = { provideTextDocumentContent: () => '' };
    add(vscode.workspace.registerTextDocumentContentProvider(EMPTY_SCHEME, empty));
    add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('cairn')) {
          chats.defaultModelChanged().catch((error: unknown) => log.error('Settings were not taken over', error));
        }
      }),
    );
    const trusted = () =>
      chats.welcomeChanged().catch((error: unknown) => log.error('Trust was not taken over', error));
    add(vscode.workspace.onDidGrantWorkspaceTrust(() => void trusted()));
    for (const { name, run } of commands(this.host)) {
      add(vscode.commands.registerCommand(COMMANDS[name], (argument: unknown) => this.carryOut(name, run, argument)));
    }
  }

  private async carryOut(name: string, run: (argument: unknown) => Promise<void>, argument: unknown): Promise<void> {
    try {
      await run(argument);
    } catch (error) {
      this.host.log.error(`The command ${name} failed`, error);
      const choice = await vscode.window.showErrorMessage(`Cairn: ${errorText(error)}`, 'Show log');
      if (choice) this.host.log.show();
    }
  }
}

/** The trash of this machine is out of reach where the editor's window is on another one, or in a browser. */
function hasTrash(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}
