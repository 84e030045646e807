import * as z from 'zod';

/** Control characters, and those that turn the direction of what follows: a name stands in approvals and lists. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** What an agent's file calls it. */
export const agentName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must not be longer than 100 characters')
  .refine((name) => !UNSEEN.test(name), 'must be one line without control characters');
