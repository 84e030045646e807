import { AbortError, untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import * as z from '../../../base/zod';
import { isSummary } from '../../context/compaction';
import type { ContextMark, ContextStrategy, ConversationToFit, FittedContext } from '../../context/contextStrategy';
import { estimateRequest } from '../../context/estimateTokens';
import { EngineError } from '../../engineError';
import { type Message, messagesBeside } from '../../messages/message';
import { repairTranscript } from '../../messages/repairTranscript';
import { toolSpecs } from '../../tools/toolSpecs';
import type { Conversation } from '../runContext';
import { keepSummary, pinnedBefore } from './compactSession';
import { conversationOf, conversationRoom, requestSize } from './conversationRoom';
import { fitConversation } from './fitConversation';

/** The messages that each run sent last. */
const lastSent = new WeakMap<Conversation['promptAndTools'], readonly Message[]>();

/**
 * Fits the conversation with a custom strategy. Rejects with an EngineError `context-strategy` that names the strategy if it
 * throws or returns something invalid, and with AbortError.
 */
export async function fitByStrategy(context: Conversation, strategy: ContextStrategy): Promise<Message[]> {
  const { promptAndTools } = context;
  const { messages, mark } = await askStrategy(context, strategy);
  if (mark) await setMark(context, mark);
  const fitted = messages ? promptAndTools.converse(messages) : conversationOf(context);
  lastSent.set(promptAndTools, fitted);
  return fitted;
}

/** Shrinks the conversation after the model rejected it as too long. Resolves to false if the strategy does not make it smaller. */
export async function shrinkByStrategy(context: Conversation, strategy: ContextStrategy): Promise<boolean> {
  const { promptAndTools, gauge } = context;
  const sent = lastSent.get(promptAndTools) ?? [];
  gauge.refused(estimateRequest(promptAndTools.system, toolSpecs(promptAndTools.tools), sent));
  return requestSize(context, await fitByStrategy(context, strategy)) < requestSize(context, sent);
}

async function askStrategy(context: Conversation, strategy: ContextStrategy): Promise<FittedContext> {
  const { signal } = context;
  const conversation = conversationToFit(context);
  try {
    const given: unknown = await untilAborted(
      Promise.resolve().then(() => strategy.fit(conversation)),
      signal,
    );
    const fitted = fittedSchema(conversation.messages).parse(given);
    checkMessages(fitted.messages);
    if (fitted.mark) checkMark(context, fitted.mark);
    return fitted;
  } catch (error) {
    if (signal.aborted) throw new AbortError();
    const text = `The context strategy “${strategy.name}” failed: ${whyIt(error)}. Fix or remove it, then continue.`;
    throw new EngineError('context-strategy', text, { cause: error });
  }
}

function conversationToFit(context: Conversation): ConversationToFit {
  const { session, agent, model, signal, promptAndTools } = context;
  const { window, wanted } = conversationRoom(context);
  return {
    sessionId: session.id,
    agent,
    model: model.id,
    messages: repairTranscript(session.context),
    room: Math.floor(window.room),
    limit: wanted.limit,
    signal,
    size: (messages) => requestSize(context, promptAndTools.converse(messages)),
    asUsual: async () => {
      await fitConversation(context);
      return repairTranscript(session.context);
    },
  };
}

function fittedSchema(known: readonly Message[]) {
  const mark = z.union([
    z.strictObject({ keptFrom: z.string(), summary: z.string() }),
    z.strictObject({ prunedTo: z.string() }),
  ]);
  return z.strictObject({ messages: z.exactOptional(messagesBeside(known)), mark: z.exactOptional(mark) }).check(
    z.refine(({ messages, mark: set }) => messages !== undefined || set !== undefined, {
      message: 'it returned neither messages nor a mark',
    }),
  );
}

/** Rejects what vendors would reject, here where the strategy can be named. */
function checkMessages(messages: readonly Message[] | undefined): void {
  if (!messages) return;
  if (messages[0]?.role !== 'user') throw new Error('its messages do not start with a user message');
  const whole = repairTranscript(messages);
  if (whole.length !== messages.length || whole.some((one, index) => one !== messages[index])) {
    throw new Error('its messages contain a call that is not followed by its result, or a result without its call');
  }
}

function checkMark({ session }: Conversation, mark: ContextMark): void {
  const id = 'prunedTo' in mark ? mark.prunedTo : mark.keptFrom;
  const at = session.context.findIndex((message) => message.id === id);
  const message = session.context[at];
  if (!message) throw new Error(`its mark names the message ${id}, which is not in the conversation`);
  if ('prunedTo' in mark) return;
  if (message.role === 'tool') throw new Error(`its mark would separate the results in ${id} from their calls`);
  if (at === 0 || isSummary(message)) throw new Error(`its mark at ${id} has nothing before it to summarize`);
}

async function setMark(context: Conversation, mark: ContextMark): Promise<void> {
  if ('prunedTo' in mark) return context.session.prune(mark.prunedTo);
  const { keptFrom, summary } = mark;
  const pinned = pinnedBefore(context, keptFrom, conversationRoom(context).pinned);
  await keepSummary(context, summary, { keptFrom, pinned });
  // The summary replaced what the model was told about its place and skills, so that is added again.
  await context.promptAndTools.forRequest();
}

function whyIt(error: unknown): string {
  const issue = error instanceof z.SchemaError ? error.issues[0] : undefined;
  if (!issue) return errorText(error).replace(/\.$/, '');
  const place = issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : '';
  return `what it returned is not valid: ${place}${issue.message}`;
}
