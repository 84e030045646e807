import * as z from 'zod';
import type { CollectedReply } from '../../llm/collectReply';
import { type AssistantMessage, messageSchema, toolCallsOf } from '../../messages/message';
import { askMiddleware, failureOf } from './askMiddleware';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';

/** An answer as the middleware wants it to be kept. Where one fails the calls are dropped, as of an answer that broke off. */
export async function changedReply(
  all: readonly EngineMiddleware[],
  reply: CollectedReply,
  context: MiddlewareContext,
): Promise<CollectedReply> {
  let { message } = reply;
  try {
    for (const middleware of all) message = await changed(middleware, message, context);
  } catch (error) {
    const parts = message.parts.filter(({ type }) => type !== 'tool-call');
    return { ...reply, message: { ...message, parts, finish: 'cut-off' }, failure: failureOf(error) };
  }
  return { ...reply, message };
}

async function changed(
  middleware: EngineMiddleware,
  message: AssistantMessage,
  context: MiddlewareContext,
): Promise<AssistantMessage> {
  if (!middleware.afterModel) return message;
  const given = await askMiddleware(middleware, answerSchema(message), context, () =>
    middleware.afterModel?.(message, context),
  );
  return given ?? message;
}

/** The same answer with other parts, all of whose calls are among those that the model made. */
function answerSchema(message: AssistantMessage) {
  const made = new Set(toolCallsOf(message).map(({ id }) => id));
  return z.object({ parts: z.array(z.unknown()) }).transform(({ parts }, issues) => {
    const read = messageSchema.safeParse({ ...message, parts });
    const ids = read.data?.role === 'assistant' ? toolCallsOf(read.data).map(({ id }) => id) : [];
    if (read.data?.role === 'assistant' && new Set(ids).size === ids.length && ids.every((id) => made.has(id))) {
      return read.data;
    }
    issues.addIssue({
      code: 'custom',
      input: parts,
      message: read.error?.message ?? 'a call is new or stands there twice',
    });
    return z.NEVER;
  });
}
