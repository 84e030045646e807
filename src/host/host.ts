import type { Uri } from 'vscode';
import type { ChatApprovalHandler } from '../chat/chatApprovalHandler';
import type { LiveChat } from '../chat/liveChat';
import type { LiveChats } from '../chat/liveChats';
import type { Engine, FileSystem, McpPlace, PathStyle } from '../engine';
import type { ChatPanels } from './chat/chatPanels';
import type { SessionActions } from './chat/sessionActions';
import type { EditorConfig } from './config/editorConfig';
import type { LateMcpServers } from '../node/mcp/lateMcpServers';
import type { LateScriptTools } from '../node/scripts/lateScriptTools';
import type { DiffReview } from './editor/diffReview';
import type { ReviewLedger } from './review/reviewLedger';
import type { VscodeSecretStore } from './secrets/vscodeSecretStore';
import type { SetupActions } from './setup/setupActions';
import type { OutputLog } from './status/outputLog';

/** What commands work with. */
export interface Host {
  engine: Engine;
  chats: LiveChats;
  panels: ChatPanels;
  sessions: SessionActions;
  setup: SetupActions;
  approvals: ChatApprovalHandler;
  review: DiffReview;
  /** What was changed without asking and is left to review. */
  ledger: ReviewLedger;
  secrets: VscodeSecretStore;
  mcp: LateMcpServers;
  /** Tools that are scripts. */
  scripts: LateScriptTools;
  config: EditorConfig;
  /** Where its servers are looked for. */
  mcpPlace: () => McpPlace;
  log: OutputLog;
  /** As the person sees them: changes to open files go through their editors. */
  files: FileSystem;
  paths: PathStyle;
  /** Where Cairn itself lies. */
  extensionUri: Uri;
  /** The chat of the panel used last, opening the session when it has not been shown yet. */
  currentChat: () => Promise<LiveChat>;
}

/** What a command does. A throw is logged and shown to the person. */
export interface Command {
  /** The editor hands some commands more than one argument. */
  run: (argument: unknown, ...more: readonly unknown[]) => Promise<void>;
}
