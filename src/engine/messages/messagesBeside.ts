import * as z from '../../base/zod';
import { type Message, messageSchema } from './message';

/** Returns a schema for messages from outside. Messages in `known` were validated when they were read, so only new ones are checked. */
export function messagesBeside(known: readonly Message[]) {
  const before = new Set<unknown>(known);
  const isKnown = (value: unknown): value is Message => before.has(value);
  return z.array(z.union([z.custom<Message>(isKnown), messageSchema]));
}
