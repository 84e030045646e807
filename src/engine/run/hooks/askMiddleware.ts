import { AbortError, untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { CollectedReply } from '../../llm/collectReply';
import type { LlmClient, LlmEvent, LlmFailure, LlmRequest } from '../../llm/llmClient';
import { effortSchema } from '../../llm/model';
import { userPartSchema } from '../../messages/attachment';
import {
  type AssistantMessage,
  type Message,
  messagesBeside,
  messageSchema,
  toolCallsOf,
  type UserInput,
} from '../../messages/message';
import { repairTranscript } from '../../messages/repairTranscript';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';

/**
 * Calls a hook and validates what it returns; undefined if it returns nothing. Rejects with an EngineError `middleware` that
 * names the middleware, and with AbortError.
 */
async function askMiddleware<T>(
  { name }: EngineMiddleware,
  schema: z.ZodMiniType<T>,
  { signal }: MiddlewareContext,
  ask: () => unknown,
): Promise<T | undefined> {
  try {
    const given = await untilAborted(Promise.resolve().then(ask), signal);
    return given === undefined ? undefined : schema.parse(given);
  } catch (error) {
    if (signal.aborted) throw new AbortError();
    throw middlewareError(name, error);
  }
}

function middlewareError(name: string, error: unknown): EngineError {
  const hint = 'Fix or remove it, then continue.';
  return new EngineError('middleware', `The middleware "${name}" failed: ${whyIt(error)}. ${hint}`, { cause: error });
}

/** Converts the error that prevented a request into a failure, as clients report it. */
function failureOf(error: unknown): LlmFailure {
  if (EngineError.is(error)) return { reason: 'middleware', message: error.message };
  if (error instanceof AbortError) return { reason: 'cancelled', message: 'Canceled.' };
  throw error;
}

function whyIt(error: unknown): string {
  const isMisfit = error instanceof z.SchemaError;
  const text = isMisfit ? `what it returned is not valid: ${z.misfit(error)}` : errorText(error);
  return text.replace(/\.$/, '');
}

/** A request with its model and context. */
interface Asked {
  request: LlmRequest;
  /** `provider:model`. */
  model: string;
  context: MiddlewareContext;
}

/** Sends a request as changed by the middleware. Keeps the LlmClient contract. */
export async function* askThrough(
  all: readonly EngineMiddleware[],
  client: LlmClient,
  { request, model, context }: Asked,
): AsyncIterable<LlmEvent> {
  let asked = request;
  try {
    for (const middleware of all) asked = await changed(middleware, { request: asked, model, context });
  } catch (error) {
    yield { type: 'failed', failure: failureOf(error) };
    return;
  }
  yield* client.stream(asked, context.signal);
}

async function changed(middleware: EngineMiddleware, { request, model, context }: Asked): Promise<LlmRequest> {
  if (!middleware.beforeModel) return request;
  const { cacheKey, ...question } = request;
  const given = await askMiddleware(middleware, changedSchema(request.messages), context, () =>
    middleware.beforeModel?.({ ...question, model }, context),
  );
  if (!given) return request;
  const messages = given.messages ? repairTranscript(given.messages) : request.messages;
  return { ...question, ...given, messages, ...(cacheKey !== undefined && { cacheKey }) };
}

function changedSchema(before: readonly Message[]) {
  return z.strictObject({
    system: z.exactOptional(z.string()),
    messages: z.exactOptional(messagesBeside(before)),
    tools: z.exactOptional(
      z.array(z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) })),
    ),
    temperature: z.exactOptional(z.number().check(z.minimum(0), z.maximum(2))),
    topP: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
    effort: z.exactOptional(effortSchema),
    maxOutputTokens: z.exactOptional(z.int().check(z.positive())),
  });
}

const inputSchema = z.union([
  z.pipe(
    z.string(),
    z.transform((text) => ({ text })),
  ),
  // May include the ID of the input it was given. Strict, because any other key would be silently ignored.
  z.strictObject({
    id: z.exactOptional(z.string()),
    text: z.exactOptional(z.string()),
    attachments: z.exactOptional(z.array(userPartSchema)),
  }),
]);

/** Applies the middleware to a message; its ID is unchanged. Rejects with EngineError `middleware`, or with AbortError. */
export async function changedInput(
  all: readonly EngineMiddleware[],
  input: UserInput,
  context: MiddlewareContext,
): Promise<UserInput> {
  let taken = input;
  for (const middleware of all) {
    if (!middleware.onUserMessage) continue;
    const now = taken;
    const given = await askMiddleware(middleware, inputSchema, context, () => middleware.onUserMessage?.(now, context));
    taken = { ...taken, ...given, ...(now.id !== undefined && { id: now.id }) };
  }
  return taken;
}

/** Applies the middleware to an answer before it is stored. If one fails, the calls are dropped, as in an answer that broke off. */
export async function changedReply(
  all: readonly EngineMiddleware[],
  reply: CollectedReply,
  context: MiddlewareContext,
): Promise<CollectedReply> {
  let { message } = reply;
  try {
    for (const middleware of all) message = await changedAnswer(middleware, message, context);
  } catch (error) {
    const parts = message.parts.filter(({ type }) => type !== 'tool-call');
    return { ...reply, message: { ...message, parts, finish: 'cut-off' }, failure: failureOf(error) };
  }
  return { ...reply, message };
}

async function changedAnswer(
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

/** Accepts the same answer with other parts, if all calls in them are among those the model made. */
function answerSchema(message: AssistantMessage) {
  const made = new Set(toolCallsOf(message).map(({ id }) => id));
  return z.pipe(
    z.object({ parts: z.array(z.unknown()) }),
    z.transform(({ parts }, { issues }) => {
      const read = messageSchema.safeParse({ ...message, parts });
      const ids = read.data?.role === 'assistant' ? toolCallsOf(read.data).map(({ id }) => id) : [];
      if (read.data?.role === 'assistant' && new Set(ids).size === ids.length && ids.every((id) => made.has(id))) {
        return read.data;
      }
      issues.push({
        code: 'custom',
        input: parts,
        message: read.error?.message ?? 'a call is new or appears twice',
      });
      return z.NEVER;
    }),
  );
}
