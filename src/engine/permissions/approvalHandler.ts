import type { FileDiff } from '../messages/toolResult';
import type { PermissionRule, ToolCategory } from './permissionRule';

/** Where "always" can keep a rule, from the narrowest to the widest, in words for the end of a sentence. */
export const APPROVAL_SCOPES = {
  session: 'in this session',
  workspace: 'in this workspace',
  user: 'in every workspace',
} as const;

export type ApprovalScope = keyof typeof APPROVAL_SCOPES;

/** A change to one file that has not been made. `before` is null when the file does not exist. */
export interface FileChange {
  /** Absolute. */
  path: string;
  /** From the workspace, with forward slashes. */
  relativePath: string;
  before: string | null;
  after: string;
  /** What the model proposed, where a person made something else of it. */
  proposed?: string;
}

/** What a person made of a proposal. */
export interface EditedProposal {
  /** Written instead of what was proposed. */
  contents?: string;
  /** The file's text that `contents` was made from, where the person changed the file meanwhile; only that is replaced. */
  basedOn?: string;
}

/** The rules that "always" would add, with their exact wording for the button. */
export interface RuleOffer {
  scope: ApprovalScope;
  /** One, or for a compound command one for each part that is not allowed yet. */
  rules: readonly PermissionRule[];
  label: string;
}

export interface ApprovalRequest {
  id: string;
  sessionId: string;
  callId: string;
  /** The calls whose edits are asked for at the same time, in their order; only this one when it is asked for alone. */
  together: readonly string[];
  agent: string;
  tool: string;
  category: ToolCategory;
  title: string;
  /** The verdict's sentence: why it asks. */
  reason: string;
  /** True when nothing but the approval mode asks, and nothing is known against the call. */
  usual: boolean;
  change: FileChange | null;
  diff: FileDiff | null;
  command: string | null;
  /** Narrowest first; empty when the call must be asked each time. */
  offers: readonly RuleOffer[];
}

export type ApprovalAnswer =
  | ({ kind: 'once' } & EditedProposal)
  | ({ kind: 'always'; offer: RuleOffer } & EditedProposal)
  /** `by` says whether a person refused, or nobody was there to be asked. */
  | { kind: 'reject'; reason?: string; by: 'person' | 'nobody' };

/** Performs an approval. Rejects only with AbortError; a panel that is gone goes on waiting until it comes back. */
export interface ApprovalHandler {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}
