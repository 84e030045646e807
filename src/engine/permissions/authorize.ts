import { newId } from '../../base/newId';
import type { FileDiff } from '../messages/toolResult';
import type {
  ApprovalAnswer,
  ApprovalHandler,
  ApprovalRequest,
  EditedProposal,
  FileChange,
  RuleOffer,
} from './approvalHandler';
import { offerRules } from './offerRules';
import type { JudgedQuery, Rulesets } from './permissionRule';
import type { ToolPolicy } from './toolPolicy';

/** One call that wants to run. */
export interface AuthorizationQuestion {
  query: JudgedQuery;
  sessionId: string;
  callId: string;
  agent: string;
  title: string;
  change: FileChange | null;
  diff: FileDiff | null;
}

export interface Authorizer {
  policy: ToolPolicy;
  rulesets: Rulesets;
  handler: ApprovalHandler;
  onRequest(request: ApprovalRequest): void;
  onAnswer(request: ApprovalRequest, answer: ApprovalAnswer): void;
}

export type Authorization =
  | ({ kind: 'allowed'; remember?: RuleOffer } & EditedProposal)
  /** `text` tells the model who refused, why, and what that means for it. */
  | { kind: 'refused'; text: string };

/** The policy first, then a person if the verdict is ask. Rejects only with AbortError. */
export async function authorize(
  question: AuthorizationQuestion,
  authorizer: Authorizer,
  signal: AbortSignal,
): Promise<Authorization> {
  const verdict = authorizer.policy.decide(question.query, authorizer.rulesets);
  if (verdict.action === 'allow') return { kind: 'allowed' };
  if (verdict.action === 'deny') {
    return { kind: 'refused', text: `Not allowed: ${verdict.reason} Do not try it again; find another way or say so.` };
  }
  const { query, ...rest } = question;
  const request: ApprovalRequest = {
    id: newId('approval'),
    ...rest,
    tool: query.tool,
    category: query.category,
    reason: verdict.reason,
    command: query.command ?? null,
    offers: offerRules(query, verdict),
  };
  authorizer.onRequest(request);
  const answer = await authorizer.handler.ask(request, signal);
  authorizer.onAnswer(request, answer);
  return outcomeOf(answer, request);
}

function outcomeOf(answer: ApprovalAnswer, request: ApprovalRequest): Authorization {
  if (answer.kind === 'reject') return { kind: 'refused', text: refusalText(answer, request) };
  return {
    kind: 'allowed',
    ...(answer.contents !== undefined && { contents: answer.contents }),
    ...(answer.basedOn !== undefined && { basedOn: answer.basedOn }),
    ...(answer.kind === 'always' && { remember: answer.offer }),
  };
}

function refusalText(answer: Extract<ApprovalAnswer, { kind: 'reject' }>, request: ApprovalRequest): string {
  if (answer.by === 'nobody') {
    return `Not done: ${request.reason} ${answer.reason ?? 'Nobody is there to be asked.'} Go on without it and say what was left undone.`;
  }
  return answer.reason
    ? `The user refused this and said: ${answer.reason}`
    : 'The user refused this. Do not try the same again; ask what they want instead, or go on without it.';
}
