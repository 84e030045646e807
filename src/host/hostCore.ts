import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DisposableStore } from '../base/disposable';
import { t } from '../base/l10n';
import { ChatApprovalHandler, ChatUserPrompter } from '../chat/chatApprovalHandler';
import {
  createEngine,
  type Engine,
  type FileSystem,
  joinedSources,
  lateOnRequestTools,
  type Log,
  type Ports,
  type SecretValues,
  storedName,
  textOf,
  titleFrom,
  type ToolSource,
} from '../engine';
import { configFolder } from '../node/configFolder';
import { environmentAddresses } from '../node/environmentSettings';
import { machineFacts } from '../node/machineFacts';
import { LateMcpServers } from '../node/mcp/lateMcpServers';
import { nodePorts } from '../node/nodePorts';
import { LateScriptTools } from '../node/scripts/lateScriptTools';
import { EditorConfig } from './config/editorConfig';
import { DiffReview } from './editor/diffReview';
import { ProposalFiles } from './editor/proposalFiles';
import { workspaceFiles, WorkspaceInfo } from './editor/workspace';
import { editorProxy } from './llm/editorProxy';
import { vscodeLmProvider } from './llm/vscodeLmProvider';
import type { EditorMcpParts } from './mcp/editorMcpServers';
import { OutputLog } from './outputLog';
import { ReviewLedger } from './review/reviewLedger';
import { ReviewStore } from './review/reviewStore';
import { LiveSettings, opensDiffByItself } from './settings';
import { VscodeSecretStore } from './vscodeSecretStore';

/** Creates the engine and the parts of the editor integration that it works with. Chats and commands build on these. */
export function openCore(context: vscode.ExtensionContext, disposables: DisposableStore) {
  const log = disposables.add(new OutputLog());
  const { env } = process;
  const pageWorker = join(context.extensionPath, 'dist', 'web.js');
  const ports = nodePorts({ env, ripgrepCandidates: editorRipgrep(vscode.env.appRoot), pageWorker, log });
  const files = workspaceFiles(ports.files, hasTrash());
  const folder = configFolder(env);
  const kept: SecretValues = { get: (name) => secrets.kept(storedName(name)) };
  const config: EditorConfig = disposables.add(new EditorConfig({ configFolder: folder, env, secrets: kept, log }));
  const secrets = disposables.add(new VscodeSecretStore(context.secrets, config.keysAfter(ports.secrets)));
  const values = namedValues(kept, config, secrets);
  const proposals = disposables.add(new ProposalFiles());
  const review = disposables.add(new DiffReview(proposals, log));
  const approvals = new ChatApprovalHandler(review, opensDiffByItself, log);
  const prompter = new ChatUserPrompter();
  const live = disposables.add(new LiveSettings(environmentAddresses(env), log, config));
  const settings = () => live.get();
  const workspace = new WorkspaceInfo(files, ports.paths, join(folder, 'no-folder'));
  const ledger = disposables.add(openLedger(context, files, log, (id) => lastWords(engine, id)));
  const mcp = disposables.add(lateMcp({ context, configFolder: folder, env, ports, secrets, values }));
  const scripts = new LateScriptTools(folder, ports, async () => {
    const { editorScripts } = await import('./scripts/editorScripts');
    return editorScripts({ configFolder: folder, env, ports, secrets, values, extensionFolder: context.extensionPath });
  });
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
    programFiles: async () => (await mcp.servers()).programFiles,
    contentFolders: () => workspace.contentFolders(),
    savedFiles: ports.files,
    edits: ledger,
    toursByItself: true,
    toolSource: joinedSources([mcp, scripts, onRequestTools(ports, context.extensionPath, values)]),
  });
  const asked = { proposals, review, approvals, prompter };
  return { ...asked, log, ports, files, secrets, settings, workspace, ledger, engine, mcp, scripts, config };
}

/** Resolves `{{NAME}}`: first the editor's secrets, then those of the provider named in `config.yaml`. */
function namedValues(kept: SecretValues, config: EditorConfig, secrets: VscodeSecretStore): SecretValues {
  return {
    get: async (name) => {
      const own = await kept.get(name);
      const value = own ?? (await config.provided(name));
      // Its value was not known until now, so it has to be redacted from here on.
      if (own === undefined && value !== undefined) secrets.hide(value);
      return value;
    },
    forget: (name) => config.forget(name),
  };
}

/** The implementation is loaded once a file defines a server. */
function lateMcp(parts: EditorMcpParts): LateMcpServers {
  const make = async () => (await import('./mcp/editorMcpServers')).editorMcpServers(parts);
  return new LateMcpServers(parts.configFolder, parts.ports, make);
}

/** Uses the user's keys for search services. */
function onRequestTools(ports: Ports, extensionFolder: string, secrets: SecretValues): ToolSource {
  return lateOnRequestTools(async () => {
    const { nodeOnRequestTools } = await import('../node/onRequest/nodeOnRequestTools');
    const sqliteRunner = join(extensionFolder, 'dist', 'querySqlite.mjs');
    return nodeOnRequestTools({ ...ports, env: process.env, secrets, sqliteRunner });
  });
}

/** This machine's trash is out of reach if the editor's window is on another machine or in a browser. */
function hasTrash(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

/** Where editors bundle ripgrep. It moved in 1.122, and forks keep the older locations. None of this is API. */
function editorRipgrep(appRoot: string): string[] {
  const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  return [
    join(appRoot, 'node_modules', '@vscode', 'ripgrep-universal', 'bin', platform, binary),
    join(appRoot, 'node_modules', '@vscode', 'ripgrep', 'bin', binary),
    join(appRoot, 'node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin', binary),
  ];
}

/** Creates this workspace's ledger, restoring what was left to review when its window was closed. */
function openLedger(
  { storageUri }: vscode.ExtensionContext,
  files: FileSystem,
  log: Log,
  titleOf: (sessionId: string) => Promise<string>,
): ReviewLedger {
  const store = storageUri && new ReviewStore(join(storageUri.fsPath, 'review.json'), files, log);
  const ledger = new ReviewLedger({ files, store, titleOf, log });
  ledger.restore().catch((error: unknown) => log.error('Changes to review could not be restored', error));
  return ledger;
}

/** The last user message of a session, shortened. */
async function lastWords({ sessions }: Engine, sessionId: string): Promise<string> {
  const { messages } = await sessions.open(sessionId);
  const last = messages.findLast((message) => message.role === 'user');
  return last?.role === 'user' ? titleFrom(textOf(last)) : t('Changes by the agent');
}
