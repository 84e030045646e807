import * as z from 'zod';
import { effortSchema } from '../../llm/effort';
import type { LlmClient } from '../../llm/llmClient';
import type { LlmEvent } from '../../llm/llmEvent';
import type { LlmRequest } from '../../llm/llmRequest';
import type { Message } from '../../messages/message';
import { messagesBeside } from '../../messages/messagesBeside';
import { repairTranscript } from '../../messages/repairTranscript';
import { askMiddleware, failureOf } from './askMiddleware';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';

/** What is asked, of which model, and where. */
export interface Asked {
  request: LlmRequest;
  /** `provider:model`. */
  model: string;
  context: MiddlewareContext;
}

/** Asks a client what the middleware makes of a question. Keeps the contract of LlmClient. */
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
    temperature: z.exactOptional(z.number().min(0).max(2)),
    topP: z.exactOptional(z.number().min(0).max(1)),
    effort: z.exactOptional(effortSchema),
    maxOutputTokens: z.exactOptional(z.int().positive()),
  });
}
