import { matchesWildcard, nearest } from '../../../base/matching';
import * as z from '../../../base/zod';
import type { Meant } from '../../content/contentProblem';
import { OPENCODE_TOOLS, OWN_TOOLS } from '../../content/toolNames';
import type { ArgumentPattern, PermissionAction, PermissionRule } from '../../permissions/permissionRule';
import { isToolName } from '../../tools/tool';
import type { TargetRule } from '../agentDefinition';

const action = z.enum(['allow', 'ask', 'deny']);

/** `permission`: one action for everything, or an action or a map of patterns per tool. */
export const permissionMapSchema = z.union([
  action,
  z.record(z.string(), z.union([action, z.record(z.string(), action)])),
]);
type PermissionMap = z.infer<typeof permissionMapSchema>;

const ruleSchema = z.strictObject({ action: z.string(), resource: z.string(), effect: action });
/** The names that OpenCode uses for the same while it runs. */
const innerRuleSchema = z.pipe(
  z.strictObject({ permission: z.string(), pattern: z.exactOptional(z.string()), action }),
  z.transform((rule) => ({ action: rule.permission, resource: rule.pattern ?? '*', effect: rule.action })),
);

/** `permissions` of OpenCode 2: rules in order, where the last match wins. */
export const permissionListSchema = z.array(z.union([ruleSchema, innerRuleSchema]));
type PermissionList = z.infer<typeof permissionListSchema>;

/** The entry of one tool: its key, and an action for each pattern. */
type Entry = readonly [key: string, patterns: readonly (readonly [pattern: string, action: PermissionAction])[]];

interface ReadPermissions {
  rules: PermissionRule[];
  taskTargets: TargetRule[] | null;
  /** Which skills may be loaded, by name; null if no single skill is named. */
  skillRules: TargetRule[] | null;
  /** Entries without effect in Cairn, or with a different one, and why. */
  unmapped: { where: string[]; message: string; meant?: Meant }[];
  /** True if a key is one of Cairn's own tool names. */
  saysOwnNames: boolean;
}

/** Reads rules in file order, so that the last match wins as it does in OpenCode. */
export function readPermissionMap(map: PermissionMap): ReadPermissions {
  if (typeof map === 'string') return readPermissions([['*', [['*', map]]]], true);
  return readPermissions(
    Object.entries(map).map(([key, value]) => [
      key,
      Object.entries(typeof value === 'string' ? { '*': value } : value),
    ]),
  );
}

/** Reads the list form of OpenCode 2. */
export function readPermissionList(list: PermissionList): ReadPermissions {
  return readPermissions(list.map(({ action: key, resource, effect }) => [key, [[resource, effect]]]));
}

function readPermissions(entries: readonly Entry[], isOneWord = false): ReadPermissions {
  const read: ReadPermissions = { rules: [], taskTargets: null, skillRules: null, unmapped: [], saysOwnNames: false };
  const targets: TargetRule[] = [];
  const skills: TargetRule[] = [];
  const namesSkills = entries.some(
    ([key, patterns]) => key === 'skill' && patterns.some(([pattern]) => pattern !== '*'),
  );
  for (const [key, patterns] of entries) {
    const rules = patterns.map(([pattern, act]) => ({ pattern, action: act }));
    if (!isOneWord && (matchesWildcard(key, 'task') || key === 'subagent')) targets.push(...rules);
    // Only an explicit key restricts the agents; rules of matching wildcard keys then count as well.
    if (key === 'task' || key === 'subagent') read.taskTargets = targets;
    else if (namesSkills && key === 'skill') skills.push(...rules);
    else readEntries(key, patterns, read);
  }
  return namesSkills ? { ...read, skillRules: skills } : read;
}

function readEntries(key: string, entries: readonly (readonly [string, PermissionAction])[], read: ReadPermissions) {
  const known = toolsOf(key);
  if (!known) read.unmapped.push({ where: [key], ...whyUnknown(key) });
  // An extension may provide the tool later, and what is denied must not run then.
  const tools = known ?? (isToolName(key) ? [key, ...toolsOfServers(key)] : undefined);
  if (!tools) return;
  read.saysOwnNames ||= known !== undefined && !Object.hasOwn(OPENCODE_TOOLS, key) && !/[*?]/.test(key);
  for (const [pattern, act] of entries) {
    const rules = tools.flatMap((tool) => (known ? rulesFor : rulesForForeign)(tool, pattern, act));
    read.rules.push(...rules);
    const message = otherMeaning(key, pattern, act, rules);
    if (message !== undefined) read.unmapped.push({ where: [key, pattern], message });
  }
}

/** Returns why a pattern has no effect in Cairn, or a different one than its author may have meant; undefined if neither applies. */
function otherMeaning(
  key: string,
  pattern: string,
  act: PermissionAction,
  rules: readonly PermissionRule[],
): string | undefined {
  if (rules.length > 0) {
    if ((key === 'glob' || key === 'grep') && pattern !== '*')
      return `For “${key}”, “${pattern}” is the path to search in, not what to search for.`;
    // What the patterns of an unknown tool mean cannot be determined.
    const isWider =
      toolsOf(key) !== undefined && rules.some(({ argument }) => argument?.kind === 'host') && pagesOf(pattern) !== '';
    return isWider ? `Rules match hosts, so “${pattern}” applies to every page of the host.` : undefined;
  }
  if (isElsewhere(pattern) && (toolsOf(key) ?? []).some((tool) => tool.startsWith('fs_')))
    return `Paths are matched from the workspace folder, so “${pattern}” matches nothing and has no effect. Paths outside the workspace always need approval.`;
  if (act === 'allow' && (toolsOf(key) ?? []).includes('fetch_url'))
    return `Rules match hosts, so “${pattern}” would allow more than it says and has no effect. Name only the host.`;
  return `Calls of “${key}” have nothing for “${pattern}” to match, so this rule has no effect. Use “*”.`;
}

/** Whether the pattern can never match a workspace-relative path. */
function isElsewhere(pattern: string): boolean {
  return /^(?:~|\$HOME\b|\/|[A-Za-z]:[\\/])/.test(pattern);
}

/** Returns the host of a URL pattern; rules match nothing else. */
function hostOf(pattern: string): string {
  return pattern.replace(/^[\w*?]*:\/\//, '').replace(/(?::[\d*]+)?(?:\/.*)?$/s, '');
}

/** Returns the part of a URL pattern that restricts it to single pages; empty if it covers all of them. */
function pagesOf(pattern: string): string {
  const [, pages = ''] = /^(?:[\w*?]*:\/\/)?[^/]*\/(.*)$/s.exec(pattern) ?? [];
  return /^\**$/.test(pages) ? '' : pages;
}

function whyUnknown(key: string): { message: string; meant?: Meant } {
  if (key === 'external_directory') {
    return {
      message: 'Paths outside the workspace always need approval, so “external_directory” has no effect.',
    };
  }
  if (Object.hasOwn(OPENCODE_TOOLS, key)) {
    return { message: `Cairn has no tool “${key}”, so this rule has no effect unless an extension provides it.` };
  }
  const message = isToolName(key)
    ? `Cairn itself has no tool “${key}”; this rule takes effect when an extension provides it.`
    : `Cairn has no tool “${key}”, so this rule has no effect.`;
  const instead = nearest(key, [...Object.keys(OPENCODE_TOOLS), ...OWN_TOOLS]);
  if (instead === undefined) return { message };
  return { message: `${message} Did you mean “${instead}”?`, meant: { written: key, instead } };
}

/** Returns undefined if the key names nothing that Cairn has. */
function toolsOf(key: string): readonly string[] | undefined {
  if (Object.hasOwn(OPENCODE_TOOLS, key)) return OPENCODE_TOOLS[key] ?? undefined;
  if (/^category:(read|write|execute|network|agent|user)$/.test(key)) return [key];
  if (OWN_TOOLS.includes(key) || key.startsWith('mcp')) return [key];
  if (!/[*?]/.test(key)) return undefined;
  const foreign = Object.entries(OPENCODE_TOOLS).filter(([name]) => key !== '*' && matchesWildcard(key, name));
  return [key, ...foreign.flatMap(([, tools]) => tools ?? []), ...toolsOfServers(key)];
}

/** Returns MCP tool names: OpenCode writes `github_*` for `mcp__github__*`. */
function toolsOfServers(key: string): readonly string[] {
  if (key === '*' || Object.hasOwn(OPENCODE_TOOLS, key) || /^(?:fs|command|todo|user|skill|agent)_/.test(key))
    return [];
  const ways = [...key.matchAll(/_/g)].map(({ index }) => `${key.slice(0, index)}__${key.slice(index + 1)}`);
  return [...(/[*?]/.test(key) ? [key] : []), ...ways].map((way) => `mcp__${way}`);
}

/** Returns no rules if the tool's calls have nothing that the pattern could match. */
function rulesFor(tool: string, pattern: string, action: PermissionAction): PermissionRule[] {
  if (pattern === '*') return [{ tool, action }];
  if (tool === 'fetch_url') {
    const host = hostOf(pattern);
    if (host === '' || (action === 'allow' && pagesOf(pattern) !== '')) return [];
    return [{ tool, action, ...(host !== '*' && { argument: { kind: 'host', pattern: host } as const }) }];
  }
  if (tool === 'execute_command') {
    return commandPatterns(pattern, action).map((argument) => ({ tool, action, argument }));
  }
  const hasPaths = tool.startsWith('fs_') || tool.startsWith('category:') || /[*?]/.test(tool);
  if (!hasPaths || (isElsewhere(pattern) && tool.startsWith('fs_'))) return [];
  const rule: PermissionRule = { tool, action, argument: { kind: 'path', pattern } };
  // A wildcard may also match tools of extensions.
  return /[*?]/.test(tool) ? [rule, { tool, action, argument: { kind: 'subject', pattern } }] : [rule];
}

/** Covers every kind of argument, since it is unknown what the calls of an extension's tool contain. */
function rulesForForeign(tool: string, pattern: string, action: PermissionAction): PermissionRule[] {
  if (pattern === '*') return [{ tool, action }];
  const kinds = (['subject', 'path', 'host'] as const).map((kind) => ({ kind, pattern }));
  return [...kinds, ...commandPatterns(pattern, action)].map((argument) => ({ tool, action, argument }));
}

/** Returns the action of the last rule that matches, or `otherwise`. */
export function targetAction(
  rules: readonly TargetRule[],
  name: string,
  otherwise: PermissionAction,
): PermissionAction {
  return rules.findLast(({ pattern }) => matchesWildcard(pattern, name))?.action ?? otherwise;
}

/**
 * `git push *` becomes a word prefix, which can be checked against each part of a compound line. Anything else becomes a regular
 * expression.
 */
export function commandPatterns(pattern: string, action: PermissionAction): ArgumentPattern[] {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  const whole: ArgumentPattern = { kind: 'regex', pattern: `^${expression}$` };
  const words = /^([^*?]*?[^*?\s])(\s*)\*$/.exec(pattern);
  if (!words) return [whole];
  const begin: ArgumentPattern = { kind: 'command', words: (words[1] ?? '').trim().split(/\s+/) };
  // "rm*" also matches "rmdir": a denial covers both, while an allowance only covers the exact word.
  return words[2] === '' && action !== 'allow' ? [begin, whole] : [begin];
}
