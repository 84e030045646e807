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
import type { JudgedQuery, Rulesets, Verdict } from './permissionRule';
import type { ToolPolicy } from './toolPolicy';
import type { Turns } from './turns';

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

/** How a call was decided, and by whom. */
export interface Decision {
  verdict: Verdict;
  by: 'rule' | 'person' | 'nobody';
  answer: 'allow' | 'deny' | ApprovalAnswer['kind'];
  /** What "always" added. */
  offer?: RuleOffer;
}

export interface Authorizer {
  policy: ToolPolicy;
  /** As they are now; asked again when a call has waited. */
  rulesets(): Promise<Rulesets>;
  handler: ApprovalHandler;
  /** One question at a time, so that its answer counts for those that wait behind it. */
  turns: Turns;
  /** Keeps the rules of "always", before anything else is decided. */
  remember(offer: RuleOffer): Promise<void>;
  onDecision(decision: Decision): Promise<void>;
  onRequest(request: ApprovalRequest): void;
  onAnswer(request: ApprovalRequest, answer: ApprovalAnswer): void;
}

export type Authorization =
  | ({ kind: 'allowed' } & EditedProposal)
  /** `text` tells the model who refused, why, and what that means for it. */
  | { kind: 'refused'; text: string };

/** The policy first, then a person if the verdict is ask. Rejects only with AbortError, and with what the parts reject. */
export async function authorize(
  question: AuthorizationQuestion,
  authorizer: Authorizer,
  signal: AbortSignal,
): Promise<Authorization> {
  const settled = await decideByRules(question, authorizer);
  if (settled.kind !== 'ask') return settled;
  return authorizer.turns.take(async () => {
    const now = await decideByRules(question, authorizer);
    return now.kind === 'ask' ? askPerson(question, now, authorizer, signal) : now;
  }, signal);
}

interface MustAsk {
  kind: 'ask';
  verdict: Verdict;
  rulesets: Rulesets;
}

async function decideByRules(
  question: AuthorizationQuestion,
  authorizer: Authorizer,
): Promise<Authorization | MustAsk> {
  const rulesets = await authorizer.rulesets();
  const verdict = authorizer.policy.decide(question.query, rulesets);
  if (verdict.action === 'ask') return { kind: 'ask', verdict, rulesets };
  await authorizer.onDecision({ verdict, by: 'rule', answer: verdict.action });
  if (verdict.action === 'allow') return { kind: 'allowed' };
  return { kind: 'refused', text: `Not allowed: ${verdict.reason} Do not try it again; find another way or say so.` };
}

async function askPerson(
  question: AuthorizationQuestion,
  { verdict, rulesets }: MustAsk,
  authorizer: Authorizer,
  signal: AbortSignal,
): Promise<Authorization> {
  const { query, ...rest } = question;
  const request: ApprovalRequest = {
    id: newId('approval'),
    ...rest,
    tool: query.tool,
    category: query.category,
    reason: verdict.reason,
    command: query.command?.line ?? null,
    offers: offerRules(query, rulesets, authorizer.policy),
  };
  authorizer.onRequest(request);
  const answer = await authorizer.handler.ask(request, signal);
  authorizer.onAnswer(request, answer);
  if (answer.kind === 'always') await authorizer.remember(answer.offer);
  const by = answer.kind === 'reject' ? answer.by : 'person';
  const offer = answer.kind === 'always' && { offer: answer.offer };
  await authorizer.onDecision({ verdict, by, answer: answer.kind, ...offer });
  return outcomeOf(answer, request);
}

function outcomeOf(answer: ApprovalAnswer, request: ApprovalRequest): Authorization {
  if (answer.kind === 'reject') return { kind: 'refused', text: refusalText(answer, request) };
  return {
    kind: 'allowed',
    ...(answer.contents !== undefined && { contents: answer.contents }),
    ...(answer.basedOn !== undefined && { basedOn: answer.basedOn }),
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
