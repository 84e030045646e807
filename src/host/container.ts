import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorText } from '../base/errorText';
import { type AgentSession, createEngine } from '../engine';
import { configFolder } from '../node/configFolder';
import { environmentAddresses } from '../node/environmentAddresses';
import { nodePorts } from '../node/nodePorts';
import { ChatApprovalHandler } from './chat/chatApprovalHandler';
import { ChatPanels } from './chat/chatPanels';
import { ChatSurfaces } from './chat/chatSurfaces';
import { ChatUserPrompter } from './chat/chatUserPrompter';
import type { LiveChat } from './chat/liveChat';
import { LiveChats } from './chat/liveChats';
import type { Command } from './commands/command';
import { commands } from './commands/commands';
import { restoreTo } from './commands/sessions/restoreTo';
import { COMMANDS, EDITOR_CHAT, EMPTY_SCHEME, PROPOSAL_SCHEME, VIEW_CHAT } from './contributionPoints';
import { DiffReview } from './editor/diffReview';
import { FixActions } from './editor/fixActions';
import { HunkLenses } from './editor/hunkLenses';
import { editorRipgrep } from './editor/editorRipgrep';
import { ProposalFiles } from './editor/proposalFiles';
import { workspaceFiles } from './editor/workspaceFiles';
import { WorkspaceInfo } from './editor/workspaceInfo';
import type { Host } from './host';
import { filesToReview } from './review/filesToReview';
import { lastWords, openLedger } from './review/openLedger';
import { reviewInEditor } from './review/reviewInEditor';
import { VscodeSecretStore } from './secrets/vscodeSecretStore';
import { opensDiffByItself, readSettings } from './settings/readSettings';
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
    const files = workspaceFiles(ports.files);
    const secrets = new VscodeSecretStore(context.secrets, ports.secrets);
    const proposals = this.disposables.add(new ProposalFiles());
    const review = this.disposables.add(new DiffReview(proposals, log));
    const approvals = new ChatApprovalHandler(review, opensDiffByItself, log);
    const prompter = new ChatUserPrompter();
    const environment = environmentAddresses(env);
    const settings = () => readSettings(environment, log);
    const folder = configFolder(env);
    const workspace = new WorkspaceInfo(files, ports.paths, join(folder, 'no-folder'));
    const ledger = this.disposables.add(openLedger(context, files, log, (id) => lastWords(this.host.engine, id)));
    const engine = createEngine({
      ...{ ports: { ...ports, files, secrets }, settings, approvals, prompter, platform: process.platform },
      ...{ sessionsFolder: join(folder, 'sessions'), configFolder: folder },
      scope: () => workspace.scope(),
      edits: ledger,
    });
    const surfaces = this.disposables.add(new ChatSurfaces(log));
    const show = (sessionId: string) => panels.show(sessionId);
    const onOpened = (chat: LiveChat) => new HiddenChatNotice(chat, surfaces, show);
    const chats = this.disposables.add(
      new LiveChats({ engine, workspace, settings, log, onOpened, toReview: (id) => filesToReview(ledger, id) }),
    );
    const lastShown = () => context.workspaceState.get<string>(LAST_SESSION);
    const rememberShown = (sessionId: string) => void context.workspaceState.update(LAST_SESSION, sessionId);
    const restore = (session: AgentSession, messageId: string) => restoreTo(this.host, session, messageId);
    const api = { chats, approvals, prompter, ledger, restore, workspaceFolder: () => workspace.folder };
    const { extensionUri } = context;
    const panels: ChatPanels = this.disposables.add(
      new ChatPanels({ extensionUri, surfaces, api, lastShown, rememberShown, log }),
    );
    const currentChat = async () => surfaces.active?.controller.chat ?? (await chats.openBest(lastShown()));
    this.disposables.add(new ChatStatus(surfaces));
    const kept = { secrets, log, files, paths: ports.paths };
    this.host = { engine, chats, panels, approvals, review, ledger, ...kept, currentChat };
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
    const { panels, log, chats, ledger, approvals } = this.host;
    const add = (item: Disposable) => this.disposables.add(item);
    add(vscode.window.registerWebviewViewProvider(VIEW_CHAT, panels.view));
    add(vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, proposals, { isCaseSensitive: true }));
    add(vscode.window.registerWebviewPanelSerializer(EDITOR_CHAT, panels.editors));
    const fixes = { providedCodeActionKinds: FixActions.kinds };
    add(vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new FixActions(), fixes));
    add(new HunkLenses(this.host.review));
    add(reviewInEditor(ledger));
    add(ledger.onChange(() => void chats.reviewChanged()));
    add(
      approvals.onPartsChanged(({ sessionId, ...parts }) => {
        void chats.tell(sessionId, { type: 'approval-parts-changed', ...parts });
      }),
    );
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
      add(vscode.commands.registerCommand(COMMANDS[name], (...given: unknown[]) => this.carryOut(name, run, given)));
    }
  }

  private async carryOut(name: string, run: Command['run'], [argument, ...more]: unknown[]): Promise<void> {
    try {
      await run(argument, ...more);
    } catch (error) {
      this.host.log.error(`The command ${name} failed`, error);
      const choice = await vscode.window.showErrorMessage(`Cairn: ${errorText(error)}`, 'Show log');
      if (choice) this.host.log.show();
    }
  }
}
