import * as z from 'zod';
import { userPartSchema } from '../../messages/attachment';
import type { UserInput } from '../../messages/message';
import { askMiddleware } from './askMiddleware';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';

const inputSchema = z.union([
  z.string().transform((text) => ({ text })),
  z.object({ text: z.exactOptional(z.string()), attachments: z.exactOptional(z.array(userPartSchema)) }),
]);

/** A message as the middleware wants it to be taken; its id stays. Rejects with EngineError `middleware`, or with AbortError. */
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
    taken = { ...taken, ...given };
  }
  return taken;
}
