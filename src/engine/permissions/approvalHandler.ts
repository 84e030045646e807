import type { FileDiff } from '../messages/toolResult';
import type { PermissionRule, ToolCategory } from './permissionRule';

/** The scopes in which "always" can store a rule, from narrowest to widest, worded for the end of a sentence. */
export const APPROVAL_SCOPES = {
  session: 'in this session',
  workspace: 'in this workspace',
  user: 'in every workspace',
} as const;

export type ApprovalScope = keyof typeof APPROVAL_SCOPES;

/** A change to one file that has not been made yet. `before` is null if the file does not exist. */
export interface FileChange {
  /** Absolute. */
  path: string;
  /** Relative to the workspace, with forward slashes. */
  relativePath: string;
  before: string | null;
  after: string;
  /** The model's original proposal, if the user changed it. */
  proposed?: string;
}

/** The user's version of a proposal. */
export interface EditedProposal {
  /** Written instead of the proposal. */
  contents?: string;
  /** The file's text that `contents` is based on, if the user has changed the file since; only that is replaced. */
  basedOn?: string;
}

/** The rules that "always" would add, with the exact wording for the button. */
export interface RuleOffer {
  scope: ApprovalScope;
  /** One rule, or for a compound command one for each part that is not allowed yet. */
  rules: readonly PermissionRule[];
  label: string;
}

export interface ApprovalRequest {
  id: string;
  sessionId: string;
  callId: string;
  /** The calls whose edits are asked about at the same time, in order; only this call if it is asked about alone. */
  together: readonly string[];
  agent: string;
  tool: string;
  category: ToolCategory;
  title: string;
  /** The verdict's sentence: why the user is asked. */
  reason: string;
  /** True if only the approval mode requires asking and nothing speaks against the call. */
  usual: boolean;
  change: FileChange | null;
  diff: FileDiff | null;
  command: string | null;
  /** Narrowest first; empty if the call must be asked about each time. */
  offers: readonly RuleOffer[];
}

export type ApprovalAnswer =
  | ({ kind: 'once' } & EditedProposal)
  | ({ kind: 'always'; offer: RuleOffer } & EditedProposal)
  /** `by` says whether the user rejected the call, or there was nobody to ask. */
  | { kind: 'reject'; reason?: string; by: 'person' | 'nobody' };

/** Asks for an approval. Rejects only with AbortError; if the panel is gone, the request stays open until it comes back. */
export interface ApprovalHandler {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}
