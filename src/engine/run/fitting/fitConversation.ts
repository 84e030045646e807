import { choosePruneMark } from '../../context/prunedView';
import { estimateMessages, estimateRequest, estimateText } from '../../context/estimateTokens';
import type { Message } from '../../messages/message';
import type { Conversation, RunPlace } from '../runContext';
import { compactSession, planCompaction } from './compactSession';
import { type ConversationRoom, conversationOf, conversationRoom, requestSize } from './conversationRoom';
import { toolSpecs } from '../../tools/toolSpecs';

/** The last messages, which the model is working with, are not pruned while anything else helps. */
const KEEP_LAST = 6;
/** What an answer to the call just made needs. */
const KEEP_LEAST = 2;

/** Of runs in which no summary could be made, what each has one of; it is not asked for again with each request. */
const notSummed = new WeakSet<Conversation['promptAndTools']>();

/**
 * The conversation, made to fit the model and what the agent wants it to take. What was sent stays as it was sent until that
 * limit is reached; then so much goes, for good and once, that it is long until the next time: the bulk of old calls, or, where
 * that is not enough, the older part in favour of a summary.
 */
export async function fitConversation(context: Conversation): Promise<Message[]> {
  const room = conversationRoom(context);
  const whole = conversationOf(context);
  const size = requestSize(context, whole);
  if (size <= room.wanted.limit) return whole;
  if (await pruneTo(context, KEEP_LAST, room.wanted.target)) return conversationOf(context);
  if (size > room.window.limit) await compactOrPrune(context, room);
  else await compactAsWished(context, room);
  return conversationOf(context);
}

/** After the model said that it is too much, whatever was estimated. False when nothing can be taken out. */
export async function shrinkConversation(context: Conversation): Promise<boolean> {
  const { promptAndTools, gauge } = context;
  gauge.refused(estimateRequest(promptAndTools.system, toolSpecs(promptAndTools.tools), conversationOf(context)));
  const room = conversationRoom(context);
  if (await pruneTo(context, KEEP_LAST, room.window.target)) return true;
  return (await compact(context, room)) || pruneAll(context, [KEEP_LAST, KEEP_LEAST, 0]);
}

async function compactOrPrune(context: Conversation, room: ConversationRoom): Promise<void> {
  if (!notSummed.has(context.promptAndTools)) await compact(context, room);
  for (const keep of [KEEP_LAST, KEEP_LEAST]) {
    if (requestSize(context, conversationOf(context)) <= room.window.limit) return;
    await pruneAll(context, [keep]);
  }
}

/** Where the model could take more, a summary has to be worth its request: it brings the conversation below the limit. */
async function compactAsWished(context: Conversation, room: ConversationRoom): Promise<void> {
  if (notSummed.has(context.promptAndTools)) return;
  const planned = planCompaction(context, room.keep, room.pinned);
  if (!planned) return;
  const said = planned.pinned.texts.reduce((sum, text) => sum + estimateText(text), 0);
  const { gauge } = context;
  const after = requestSize(context, []) + gauge.correct(estimateMessages(planned.kept) + said);
  if (after <= room.wanted.limit) await compact(context, room);
}

async function compact(context: Conversation, room: ConversationRoom): Promise<boolean> {
  const planned = planCompaction(context, room.keep, room.pinned);
  if (!planned) return false;
  const done = await compactSession(context, planned);
  if (done) await context.promptAndTools.forRequest();
  else notSummed.add(context.promptAndTools);
  return done;
}

/** Sets the mark when that brings the conversation down to `target`. */
async function pruneTo(context: Conversation, keep: number, target: number): Promise<boolean> {
  const { session } = context;
  const isEnough = (messages: readonly Message[]) => requestSize(context, messages) <= target;
  const mark = choosePruneMark(session.context, keep, isEnough);
  if (!mark || !isEnough(mark.messages)) return false;
  await session.prune(mark.upTo);
  return true;
}

/** All but the last messages, the most of them that leave something to take out. False when none does. */
async function pruneAll({ session }: RunPlace, keeps: readonly number[]): Promise<boolean> {
  for (const keep of keeps) {
    const mark = choosePruneMark(session.context, keep, () => false);
    if (mark) {
      await session.prune(mark.upTo);
      return true;
    }
  }
  return false;
}
