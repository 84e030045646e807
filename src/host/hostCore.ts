import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DisposableStore } from '../base/disposable';
import { createEngine, type Engine } from '../engine';
import { configFolder } from '../node/configFolder';
import { environmentAddresses } from '../node/environmentAddresses';
import { machineFacts } from '../node/machineFacts';
import { nodePorts } from '../node/nodePorts';
import { ChatApprovalHandler } from '../chat/chatApprovalHandler';
import { ChatUserPrompter } from '../chat/chatUserPrompter';
import { DiffReview } from './editor/diffReview';
import { editorRipgrep } from './editor/editorRipgrep';
import { ProposalFiles } from './editor/proposalFiles';
import { hasTrash } from './editor/hasTrash';
import { workspaceFiles } from './editor/workspaceFiles';
import { WorkspaceInfo } from './editor/workspaceInfo';
import { editorProxy } from './llm/editorProxy';
import { vscodeLmProvider } from './llm/vscodeLmProvider';
import { lastWords, openLedger } from './review/openLedger';
import { VscodeSecretStore } from './secrets/vscodeSecretStore';
import { LiveSettings } from './settings/liveSettings';
import { opensDiffByItself } from './settings/readSettings';
import { OutputLog } from './status/outputLog';

export type HostCore = ReturnType<typeof openCore>;

/** The engine, and what of the editor it works with; the chats and the commands stand on it. */
export function openCore(context: vscode.ExtensionContext, disposables: DisposableStore) {
  const log = disposables.add(new OutputLog());
  const { env } = process;
  const pageWorker = join(context.extensionPath, 'dist', 'web.js');
  const ports = nodePorts({ env, ripgrepCandidates: editorRipgrep(vscode.env.appRoot), pageWorker, log });
  const files = workspaceFiles(ports.files, hasTrash());
  const secrets = new VscodeSecretStore(context.secrets, ports.secrets);
  const proposals = disposables.add(new ProposalFiles());
  const review = disposables.add(new DiffReview(proposals, log));
  const approvals = new ChatApprovalHandler(review, opensDiffByItself, log);
  const prompter = new ChatUserPrompter();
  const live = disposables.add(new LiveSettings(environmentAddresses(env), log));
  const settings = () => live.get();
  const folder = configFolder(env);
  const workspace = new WorkspaceInfo(files, ports.paths, join(folder, 'no-folder'));
  const ledger = disposables.add(openLedger(context, files, log, (id) => lastWords(engine, id)));
  const engine: Engine = createEngine({
    ports: { ...ports, files, secrets },
    settings,
    approvals,
    prompter,
    platform: process.platform,
    machine: machineFacts(env),
    environment: env,
    sessionsFolder: join(folder, 'sessions'),
    configFolder: folder,
    extraProviders: [vscodeLmProvider()],
    proxySignIn: (target) => editorProxy(target, vscode.workspace.getConfiguration('http').get('proxy'), env),
    scope: () => workspace.scope(),
    assetsFolder: join(context.extensionPath, 'assets'),
    homeFolder: homedir(),
    contentFolders: () => workspace.contentFolders(),
    savedFiles: ports.files,
    edits: ledger,
    toursByItself: true,
  });
  return { log, ports, files, secrets, proposals, review, approvals, prompter, settings, workspace, ledger, engine };
}
