import { chooseKeptFrom, hasUnsummed } from '../context/compaction';
import { contextBudget, narrowedBudget } from '../context/contextBudget';
import { estimateRequest } from '../context/estimateTokens';
import { pruneToolResults } from '../context/pruneToolResults';
import type { Message } from '../messages/message';
import { repairTranscript } from '../messages/repairTranscript';
import { compactSession } from './compactSession';
import type { RunContext } from './runContext';

/** The last messages, which the model is working with, are never pruned. */
const KEEP_LAST = 6;
/** Of the target, what the exchanges kept whole may take. */
const KEPT_SHARE = 0.5;

/** Where a summary failed that the agent only wants; it is not asked for again at each request. */
const notSummed = new WeakSet<Message>();

/**
 * The conversation, made to fit the model and what the agent wants it to take: old bulky results go first, then the older
 * part is summed up.
 */
export async function fitConversation(context: RunContext): Promise<Message[]> {
  const sizeOf = (messages: readonly Message[]) =>
    context.gauge.correct(estimateRequest(context.equipment.system, context.equipment.tools.specs, messages));
  const window = contextBudget(context.model);
  const { compactsAbove: above } = context;
  const { limit, target } = above === undefined ? window : narrowedBudget(window, above, sizeOf([]));
  const prune = (messages: readonly Message[]) =>
    pruneToolResults(messages, KEEP_LAST, (pruned) => sizeOf(pruned) <= target);
  const whole = conversationOf(context);
  if (sizeOf(whole) <= limit) return whole;
  const pruned = prune(whole);
  if (sizeOf(pruned) <= limit) return pruned;
  const keep = Math.max(0, target - sizeOf([])) * KEPT_SHARE;
  await (sizeOf(pruned) > window.limit ? compactSession(context, keep) : compactAsWished(context, keep));
  const rest = conversationOf(context);
  return sizeOf(rest) <= limit ? rest : prune(rest);
}

/** Where the model could take more, a summary has to be worth its request. */
async function compactAsWished(context: RunContext, keep: number): Promise<void> {
  const { session } = context;
  const kept = chooseKeptFrom(session.context, keep);
  if (!kept || notSummed.has(kept) || !hasUnsummed(session.context, kept)) return;
  if (!(await compactSession(context, keep))) notSummed.add(kept);
}

/** After the model said that it is too much, whatever was estimated: only the last exchange stays whole. */
export async function shrinkConversation(context: RunContext): Promise<boolean> {
  return compactSession(context, 0);
}

/** What was said, as the role wants the model to see it. */
function conversationOf({ session, equipment }: RunContext): Message[] {
  return equipment.converse(repairTranscript(session.context));
}
