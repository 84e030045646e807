import { contextBudget } from '../context/contextBudget';
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

/** The conversation, made to fit the model: old bulky results go first, then the older part is summed up. */
export async function fitConversation(context: RunContext): Promise<Message[]> {
  const { limit, target } = contextBudget(context.model);
  const sizeOf = (messages: readonly Message[]) =>
    context.gauge.correct(estimateRequest(context.equipment.system, context.equipment.tools.specs, messages));
  const fitting = (messages: readonly Message[]) => {
    if (sizeOf(messages) <= limit) return [...messages];
    return pruneToolResults(messages, KEEP_LAST, (pruned) => sizeOf(pruned) <= target);
  };
  const pruned = fitting(conversationOf(context));
  if (sizeOf(pruned) <= limit) return pruned;
  await compactSession(context, target * KEPT_SHARE);
  return fitting(conversationOf(context));
}

/** After the model said that it is too much, whatever was estimated: only the last exchange stays whole. */
export async function shrinkConversation(context: RunContext): Promise<boolean> {
  return compactSession(context, 0);
}

/** What was said, as the role wants the model to see it. */
function conversationOf({ session, equipment }: RunContext): Message[] {
  return equipment.converse(repairTranscript(session.context));
}
