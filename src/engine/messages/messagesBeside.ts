import * as z from '../../base/zod';
import { type Message, messageSchema } from './message';

/** Messages that others give. Those that are known already were checked when they were read, so only what is new is looked at. */
export function messagesBeside(known: readonly Message[]) {
  const before = new Set<unknown>(known);
  const isKnown = (value: unknown): value is Message => before.has(value);
  return z.array(z.union([z.custom<Message>(isKnown), messageSchema]));
}
