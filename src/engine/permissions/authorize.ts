import { Deferred, type Mutex } from '../../base/async';
import { newId } from '../../base/newId';
import { withoutEnd } from '../../base/truncate';
import type { FileDiff } from '../messages/toolCall';
import {
  type ApprovalAnswer,
  type ApprovalHandler,
  type ApprovalRequest,
  type EditedProposal,
  type FileChange,
  offerRules,
  type RuleOffer,
} from './approvalHandler';
import type { ResolvedQuery, Rulesets, Verdict } from './permissionRule';
import type { ToolPolicy } from './toolPolicy';

/** A call that needs authorization. */
export interface AuthorizationQuestion {
  query: ResolvedQuery;
  /** The input of the call, as its tool takes it. */
  input: unknown;
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
  /** The rules that "always" added. */
  offer?: RuleOffer;
}

export interface Authorizer {
  policy: ToolPolicy;
  /** Returns the current rules; called again after a call has waited. */
  rulesets(): Promise<Rulesets>;
  handler: ApprovalHandler;
  /** Admits one question at a time, so that its answer also covers those queued behind it. */
  turns: Mutex;
  /** Removes from a text what must not be shown. */
  strike?: ((text: string) => string) | undefined;
  /** Stores the rules of "always", before anything else is decided. */
  remember(offer: RuleOffer): Promise<void>;
  onDecision(decision: Decision): Promise<void>;
  onRequest(request: ApprovalRequest): void;
  onAnswer(request: ApprovalRequest, answer: ApprovalAnswer): void;
}

export type Authorization =
  | ({ kind: 'allowed'; by: 'rule' | 'person' } & EditedProposal)
  /** `text` tells the model who refused, why, and what follows from it. */
  | { kind: 'refused'; text: string };

/** Consults the policy first, then the user if the verdict is `ask`. Rejects only with AbortError and with what the parts reject with. */
export async function authorize(
  question: AuthorizationQuestion,
  authorizer: Authorizer,
  signal: AbortSignal,
): Promise<Authorization> {
  const settled = await decideByRules(question, authorizer);
  if (settled.kind !== 'ask') return settled;
  return authorizer.turns.take(async () => {
    const now = await decideByRules(question, authorizer);
    if (now.kind !== 'ask') return now;
    return askPerson(requestFor(question, now, authorizer), now.verdict, authorizer, signal);
  }, signal);
}

/** A question, and what decides it. */
export interface Asking {
  question: AuthorizationQuestion;
  authorizer: Authorizer;
}

/** A question that the user is being asked. */
interface Open extends Asking {
  /** Withdraws the question. */
  withdrawn: AbortController;
  answer: Deferred<Authorization>;
}

/**
 * Like `authorize`, for the calls of one reply: asks all questions at the same time, so that the user sees all of them before the
 * first answer. Each promise settles on its own; an answer of "always" also settles the others that it covers.
 */
export function authorizeTogether(
  all: readonly Asking[],
  turns: Mutex,
  signal: AbortSignal,
): readonly Promise<Authorization>[] {
  const open = all.map((one): Open => ({ ...one, withdrawn: new AbortController(), answer: new Deferred() }));
  const waiting = new Set(open);
  // They are awaited one by one, so one that rejects early must not count as unhandled.
  for (const { answer } of open) answer.promise.catch(() => undefined);
  const asked = turns.take(async () => {
    const verdicts = await Promise.all(open.map((one) => decideByRules(one.question, one.authorizer)));
    const together = open.flatMap(({ question }, at) => (verdicts[at]?.kind === 'ask' ? [question.callId] : []));
    const asking = open.map(async (one, at) => {
      const verdict = verdicts[at];
      if (verdict?.kind === 'ask') return askBeside(one, verdict, together, waiting, signal);
      waiting.delete(one);
      if (verdict) one.answer.resolve(verdict);
    });
    await Promise.all(asking);
  }, signal);
  asked.catch((error: unknown) => {
    for (const { answer } of open) answer.reject(error);
  });
  return open.map(({ answer }) => answer.promise);
}

async function askBeside(
  one: Open,
  must: MustAsk,
  together: readonly string[],
  waiting: Set<Open>,
  signal: AbortSignal,
): Promise<void> {
  const { question, authorizer, withdrawn, answer } = one;
  const request = requestFor(question, must, authorizer, together);
  try {
    const either = AbortSignal.any([signal, withdrawn.signal]);
    const authorization = await askPerson(request, must.verdict, authorizer, either);
    waiting.delete(one);
    answer.resolve(authorization);
    for (const other of [...waiting]) if (await isDecidedNow(other)) waiting.delete(other);
  } catch (error) {
    if (!withdrawn.signal.aborted || signal.aborted) throw error;
    authorizer.onAnswer(request, { kind: 'once' });
  }
}

/** Decides a question without asking, if the answer to another one has added rules that cover it. */
async function isDecidedNow({ question, authorizer, withdrawn, answer }: Open): Promise<boolean> {
  const now = await decideByRules(question, authorizer);
  if (now.kind === 'ask') return false;
  answer.resolve(now);
  withdrawn.abort();
  return true;
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
  if (verdict.action === 'allow') return { kind: 'allowed', by: 'rule' };
  return { kind: 'refused', text: `Not allowed: ${verdict.reason} Do not try it again; find another way or say so.` };
}

function requestFor(
  { query, sessionId, callId, agent, title, change, diff }: AuthorizationQuestion,
  { verdict, rulesets }: MustAsk,
  authorizer: Authorizer,
  together: readonly string[] = [callId],
): ApprovalRequest {
  const { strike = (text: string) => text } = authorizer;
  // A rule that contains a secret would be stored and shown.
  const isFree = (offer: RuleOffer) => strike(JSON.stringify(offer)) === JSON.stringify(offer);
  const line = query.command?.line ?? query.unseen?.text;
  return {
    id: newId('approval'),
    sessionId,
    callId,
    agent,
    title,
    change,
    diff,
    together,
    tool: query.tool,
    category: query.category,
    reason: strike(verdict.reason),
    usual: verdict.usual === true,
    // Trailing line ends mean nothing, and a card could not show that they were seen.
    command: line === undefined ? null : strike(withoutEnd(line, '\r\n')),
    offers: offerRules(query, rulesets, authorizer.policy).filter(isFree),
  };
}

async function askPerson(
  request: ApprovalRequest,
  verdict: Verdict,
  authorizer: Authorizer,
  signal: AbortSignal,
): Promise<Authorization> {
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
  // Only a definite yes allows anything.
  if (answer.kind !== 'once' && answer.kind !== 'always') {
    return { kind: 'refused', text: refusalText(answer, request) };
  }
  return {
    kind: 'allowed',
    by: 'person',
    ...(answer.contents !== undefined && { contents: answer.contents }),
    ...(answer.basedOn !== undefined && { basedOn: answer.basedOn }),
  };
}

function refusalText(answer: Extract<ApprovalAnswer, { kind: 'reject' }>, request: ApprovalRequest): string {
  if (answer.by === 'nobody') {
    return `Not done: ${request.reason} ${answer.reason ?? 'Nobody is available to answer.'} Continue without it and say what was left undone.`;
  }
  return answer.reason
    ? `The user refused this and said: ${answer.reason}`
    : 'The user refused this. Do not try the same again; ask what they want instead, or continue without it.';
}
