import { choosePruneMark } from '../../context/prunedView';
import { estimateMessages, estimateRequest, estimateText } from '../../context/estimateTokens';
import type { Message } from '../../messages/message';
import type { Conversation, RunPlace } from '../runContext';
import { compactSession, planCompaction } from './compactSession';
import { type ConversationRoom, conversationOf, conversationRoom, requestSize } from './conversationRoom';
import { toolSpecs } from '../../tools/toolSpecs';

/** The most recent messages, which the model is working with, are not pruned while anything else helps. */
const KEEP_LAST = 6;
/** The messages needed to answer the latest call. */
const KEEP_LEAST = 2;

/** Runs in which no summary could be made, each identified by its own `promptAndTools`. No further summary is requested in them. */
const notSummed = new WeakSet<Conversation['promptAndTools']>();

/**
 * Fits the conversation to the model and to the size the agent wants. What was sent stays unchanged until that limit is reached;
 * then enough is removed, once and for good, that it takes long to reach it again: the bulk of old calls or, where that is not
 * enough, the older part, replaced by a summary.
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

/**
 * Shrinks the conversation after the model rejected it as too long, whatever was estimated. Resolves to false if nothing can be
 * removed.
 */
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

/** Where the model could take more, a summary must be worth its request by bringing the conversation below the limit. */
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

/** Sets the prune mark if that brings the conversation down to `target`. */
async function pruneTo(context: Conversation, keep: number, target: number): Promise<boolean> {
  const { session } = context;
  const isEnough = (messages: readonly Message[]) => requestSize(context, messages) <= target;
  const mark = choosePruneMark(session.context, keep, isEnough);
  if (!mark || !isEnough(mark.messages)) return false;
  await session.prune(mark.upTo);
  return true;
}

/**
 * Prunes everything but the last messages, keeping as many as possible of `keeps` while still removing something. Resolves to
 * false if nothing can be removed.
 */
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
