import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import { jsonLine } from './jsonLine';
import { type PermissionRule, permissionRuleSchema } from './permissionRule';

/** Schema of the user's own `permissions.json`. */
export const ownFile = z.lazy(() =>
  z.strictObject({
    $schema: z.exactOptional(z.string()),
    rules: z
      ._default(z.array(permissionRuleSchema), [])
      .check(z.describe('Rules for every workspace. The last that matches wins.')),
    workspaces: z
      ._default(z.record(z.string(), z.array(permissionRuleSchema)), {})
      .check(z.describe('Real path of a workspace → the rules that apply only there.')),
  }),
);
/** The user's own `permissions.json`. */
export type PermissionFile = z.infer<typeof ownFile>;

/** Schema of a repository's `.cairn/permissions.json`. */
export const repositoryFile = z.lazy(() =>
  z.strictObject({
    $schema: z.exactOptional(z.string()),
    rules: z
      ._default(z.array(permissionRuleSchema), [])
      .check(
        z.describe(
          'Rules that make Cairn ask or refuse. A repository cannot allow anything or use regular expressions.',
        ),
      ),
  }),
);

/** Throws EngineError `damaged` with path, line and remedy. */
export function parsePermissionFile(text: string, path: string): PermissionFile {
  return parseWith(ownFile, text, path);
}

/** Returns the file's text. */
export function permissionFileText(file: PermissionFile): string {
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/**
 * Parses a repository's `.cairn/permissions.json`. It may make Cairn ask or refuse, never allow; rules that allow are dropped and
 * reported in `problems`. Throws like `parsePermissionFile`.
 */
export function parseRepositoryRules(text: string, path: string): { rules: PermissionRule[]; problems: string[] } {
  const { rules } = parseWith(repositoryFile, text, path);
  rules.forEach(({ argument }, index) => {
    // One that cannot be matched in bounded time counts as a match, so it could block everything.
    if (argument?.kind === 'regex') {
      throw damaged(
        path,
        jsonLine(text, ['rules', index]),
        'a repository may not use regular expressions; use a path, command, or host pattern',
      );
    }
  });
  const problems = rules.flatMap(({ action }, index) =>
    action === 'allow'
      ? [`${path}:${jsonLine(text, ['rules', index])}: a repository cannot allow anything, so this rule is left out.`]
      : [],
  );
  return { rules: rules.filter(({ action }) => action !== 'allow'), problems };
}

/** Parses the text of a rule file. Throws EngineError `damaged` with path, line and remedy. */
export function parseWith<T>(schema: z.ZodMiniType<T>, text: string, path: string): T {
  const json = text.replace(/^\uFEFF/, '');
  const parsed = schema.safeParse(parseJson(json, path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path ?? [];
  const what = issue ? `${where.length > 0 ? `${where.join('.')}: ` : ''}${issue.message}` : 'not understood';
  throw damaged(path, jsonLine(json, where), what);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw damaged(path, jsonLine(text, []), `not JSON (${errorText(error)})`);
  }
}

function damaged(path: string, line: number, what: string): EngineError {
  return new EngineError('damaged', `${path}:${line}: ${what.replace(/\.$/, '')}. Correct the file or delete it.`);
}
