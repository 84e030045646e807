import type { Uri } from 'vscode';
import type { ChatApprovalHandler } from '../chat/chatApprovalHandler';
import type { LiveChat } from '../chat/liveChat';
import type { LiveChats } from '../chat/liveChats';
import type { Engine, FileSystem, McpPlace, PathStyle } from '../engine';
import type { LateMcpServers } from '../node/mcp/lateMcpServers';
import type { LateScriptTools } from '../node/scripts/lateScriptTools';
import type { ChatPanels } from './chat/chatPanels';
import type { SessionActions } from './chat/sessionActions';
import type { EditorConfig } from './config/editorConfig';
import type { DiffReview } from './editor/diffReview';
import type { OutputLog } from './outputLog';
import type { ReviewLedger } from './review/reviewLedger';
import type { SetupActions } from './setupActions';
import type { VscodeSecretStore } from './vscodeSecretStore';

/** What commands have access to. */
export interface Host {
  engine: Engine;
  chats: LiveChats;
  panels: ChatPanels;
  sessions: SessionActions;
  setup: SetupActions;
  approvals: ChatApprovalHandler;
  review: DiffReview;
  /** Changes made without asking that are left to review. */
  ledger: ReviewLedger;
  secrets: VscodeSecretStore;
  mcp: LateMcpServers;
  /** Tools that are scripts. */
  scripts: LateScriptTools;
  config: EditorConfig;
  /** Where to look for files that define MCP servers. */
  mcpPlace: () => McpPlace;
  log: OutputLog;
  /** The user's view of files: changes to open files go through their editors. */
  files: FileSystem;
  paths: PathStyle;
  /** The extension's own folder. */
  extensionUri: Uri;
  /** The chat of the panel used last. Opens a session if the panel has not shown one yet. */
  currentChat: () => Promise<LiveChat>;
}

/** A command's implementation. Errors that it throws are logged and shown to the user. */
export interface Command {
  /** The editor passes some commands more than one argument. */
  run: (argument: unknown, ...more: readonly unknown[]) => Promise<void>;
}
