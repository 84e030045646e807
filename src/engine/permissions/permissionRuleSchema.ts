import * as z from 'zod';
import type { PermissionRule } from './permissionRule';

const text = z.string().min(1);

const argumentPattern = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('path'), pattern: text }),
  z.strictObject({ kind: z.literal('command'), words: z.array(z.string()).min(1) }),
  z.strictObject({ kind: z.literal('host'), pattern: text }),
  z.strictObject({
    kind: z.literal('regex'),
    pattern: text.refine(isExpression, 'This is not a regular expression.'),
  }),
]);

/** A rule as files and sessions keep it. */
export const permissionRuleSchema: z.ZodType<PermissionRule> = z.strictObject({
  tool: text,
  argument: z.exactOptional(argumentPattern),
  action: z.enum(['allow', 'ask', 'deny']),
  because: z.exactOptional(z.string()),
  priority: z.exactOptional(z.number()),
});

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
