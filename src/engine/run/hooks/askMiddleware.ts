import type * as z from 'zod';
import { AbortError, untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import { EngineError } from '../../engineError';
import type { LlmFailure } from '../../llm/llmFailure';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';

/**
 * Asks one hook and checks what it gives; undefined when that is nothing. Rejects with EngineError `middleware` that names it,
 * and with AbortError.
 */
export async function askMiddleware<T>(
  { name }: EngineMiddleware,
  schema: z.ZodType<T>,
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

export function middlewareError(name: string, error: unknown): EngineError {
  const hint = 'Mend it or take it out, then go on.';
  return new EngineError('middleware', `The middleware "${name}" failed: ${whyIt(error)}. ${hint}`, { cause: error });
}

/** Why a question is not asked, as clients say it. */
export function failureOf(error: unknown): LlmFailure {
  if (EngineError.is(error)) return { reason: 'middleware', message: error.message };
  if (error instanceof AbortError) return { reason: 'cancelled', message: 'Cancelled.' };
  throw error;
}

function whyIt(error: unknown): string {
  const issues = error instanceof Error && 'issues' in error && Array.isArray(error.issues);
  const text = issues ? `what it gives does not fit: ${errorText(error).replace(/\s+/g, ' ')}` : errorText(error);
  return text.replace(/\.$/, '');
}
