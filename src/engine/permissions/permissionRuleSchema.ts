import * as z from '../../base/zod';
import { fields } from '../checkPlugin';
import type { PermissionRule } from './permissionRule';

const text = z.string().check(z.minLength(1));

const argumentPattern = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('path'), pattern: text.check(z.describe('Path or glob, such as src/**')) }),
    z.strictObject({
      kind: z.literal('command'),
      words: z
        .array(z.string())
        .check(z.minLength(1), z.describe('The first words of a command, such as ["npm", "test"]')),
      rest: z
        .exactOptional(z.enum(['harmless', 'nothing']))
        .check(z.describe('What may follow the words of a rule that allows: without it anything')),
    }),
    z.strictObject({ kind: z.literal('host'), pattern: text.check(z.describe('Host name, such as *.example.org')) }),
    z.strictObject({
      kind: z.literal('subject'),
      pattern: text.check(z.describe('What a call of a tool of an extension is about, such as prod-*')),
    }),
    z.strictObject({
      kind: z.literal('regex'),
      pattern: text.check(z.refine(isExpression, 'This is not a regular expression.')),
    }),
  ]),
);

function ruleFields() {
  return {
    tool: text.check(z.describe('Name of a tool, a pattern such as fs_*, or a category such as category:write')),
    argument: z
      .exactOptional(argumentPattern)
      .check(z.describe('Without it the rule holds whatever the tool is called with')),
    action: z.enum(['allow', 'ask', 'deny']),
    because: z.exactOptional(z.string()).check(z.describe('Shown when the rule decides')),
    priority: z.exactOptional(z.number()).check(z.describe('A higher one wins over rules that come later')),
  };
}

/** A rule as files and sessions keep it. */
export const permissionRuleSchema: z.ZodMiniType<PermissionRule> = z.lazy(() => z.strictObject(ruleFields()));

/** The same with the id that programs give it. */
export const programRuleSchema: z.ZodMiniType<PermissionRule & { id?: string }> = z.lazy(() =>
  fields({ id: z.exactOptional(text), ...ruleFields() }),
);

/** One of an agent that a program or another extension brings. */
export const agentRuleSchema = z.lazy(() => fields({ ...ruleFields(), defers: z.exactOptional(z.boolean()) }));

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
