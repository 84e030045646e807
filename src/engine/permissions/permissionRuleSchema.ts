import * as z from 'zod';
import type { PermissionRule } from './permissionRule';

const text = z.string().min(1);

const argumentPattern = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('path'), pattern: text.describe('Path or glob, such as src/**') }),
    z.strictObject({
      kind: z.literal('command'),
      words: z.array(z.string()).min(1).describe('The first words of a command, such as ["npm", "test"]'),
      rest: z
        .exactOptional(z.enum(['harmless', 'nothing']))
        .describe('What may follow the words of a rule that allows: without it anything'),
    }),
    z.strictObject({ kind: z.literal('host'), pattern: text.describe('Host name, such as *.example.org') }),
    z.strictObject({
      kind: z.literal('subject'),
      pattern: text.describe('What a call of a tool of an extension is about, such as prod-*'),
    }),
    z.strictObject({
      kind: z.literal('regex'),
      pattern: text.refine(isExpression, 'This is not a regular expression.'),
    }),
  ]),
);

function ruleFields() {
  return {
    tool: text.describe('Name of a tool, a pattern such as fs_*, or a category such as category:write'),
    argument: z.exactOptional(argumentPattern).describe('Without it the rule holds whatever the tool is called with'),
    action: z.enum(['allow', 'ask', 'deny']),
    because: z.exactOptional(z.string()).describe('Shown when the rule decides'),
    priority: z.exactOptional(z.number()).describe('A higher one wins over rules that come later'),
  };
}

/** A rule as files and sessions keep it. */
export const permissionRuleSchema: z.ZodType<PermissionRule> = z.lazy(() => z.strictObject(ruleFields()));

/** The same with the id that programs give it. */
export const programRuleSchema: z.ZodType<PermissionRule & { id?: string }> = z.lazy(() =>
  z.strictObject({ id: z.exactOptional(text), ...ruleFields() }),
);

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
