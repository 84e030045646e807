import * as z from '../../../base/zod';
import { nearest } from '../../../base/nearest';
import { matchesWildcard } from '../../../base/wildcard';
import type { Meant } from '../../content/contentProblem';
import { OPENCODE_TOOLS, OWN_TOOLS } from '../../content/toolNames';
import type { ArgumentPattern, PermissionAction, PermissionRule } from '../../permissions/permissionRule';
import { isToolName } from '../../tools/tool';
import type { TargetRule } from '../agentDefinition';

const action = z.enum(['allow', 'ask', 'deny']);

/** `permission`: one action for everything, or for each tool an action or a map of patterns. */
export const permissionMapSchema = z.union([
  action,
  z.record(z.string(), z.union([action, z.record(z.string(), action)])),
]);
export type PermissionMap = z.infer<typeof permissionMapSchema>;

/** `permissions` of OpenCode 2: rules in order, the last match wins. */
export const permissionListSchema = z.array(
  z.strictObject({ action: z.string(), resource: z.string(), effect: action }),
);
export type PermissionList = z.infer<typeof permissionListSchema>;

/** What stands there for one tool: its key, and an action for each pattern. */
type Entry = readonly [key: string, patterns: readonly (readonly [pattern: string, action: PermissionAction])[]];

export interface ReadPermissions {
  rules: PermissionRule[];
  taskTargets: TargetRule[] | null;
  /** Which skills it may load, by name; null when nothing is said of single ones. */
  skillRules: TargetRule[] | null;
  /** What has no effect here, and why. */
  unmapped: { where: string[]; message: string; meant?: Meant }[];
  /** True when a key is the name of one of our own tools. */
  saysOwnNames: boolean;
}

/** Rules in the order of the file, so that the last match wins as it does in OpenCode. */
export function readPermissionMap(map: PermissionMap): ReadPermissions {
  if (typeof map === 'string') return readPermissions([['*', [['*', map]]]], true);
  return readPermissions(
    Object.entries(map).map(([key, value]) => [
      key,
      Object.entries(typeof value === 'string' ? { '*': value } : value),
    ]),
  );
}

/** The same of a list. */
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
    // Only who speaks of it itself chooses among the agents; a wildcard counts where it does.
    if (key === 'task' || key === 'subagent') read.taskTargets = targets;
    else if (namesSkills && key === 'skill') skills.push(...rules);
    else readEntries(key, patterns, read);
  }
  return namesSkills ? { ...read, skillRules: skills } : read;
}

function readEntries(key: string, entries: readonly (readonly [string, PermissionAction])[], read: ReadPermissions) {
  const known = toolsOf(key);
  if (!known) read.unmapped.push({ where: [key], ...whyUnknown(key) });
  // An extension may bring the tool, and what is denied must not run then.
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

/** Why a pattern has no effect here, or another than its author may have meant. */
function otherMeaning(
  key: string,
  pattern: string,
  act: PermissionAction,
  rules: readonly PermissionRule[],
): string | undefined {
  if (rules.length > 0) {
    if ((key === 'glob' || key === 'grep') && pattern !== '*')
      return `For “${key}”, “${pattern}” is the path to search in, not what to search for.`;
    // Of a tool that is not known here nobody knows what its patterns mean.
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

/** Where no path leads that is told from the workspace. */
function isElsewhere(pattern: string): boolean {
  return /^(?:~|\$HOME\b|\/|[A-Za-z]:[\\/])/.test(pattern);
}

/** Of the pattern of an address: the host, which is all that rules go by. */
function hostOf(pattern: string): string {
  return pattern.replace(/^[\w*?]*:\/\//, '').replace(/(?::[\d*]+)?(?:\/.*)?$/s, '');
}

/** Of the pattern of an address: what it says of single pages; empty where it means all of them. */
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

/** Undefined when nothing of ours is meant. */
function toolsOf(key: string): readonly string[] | undefined {
  if (Object.hasOwn(OPENCODE_TOOLS, key)) return OPENCODE_TOOLS[key] ?? undefined;
  if (/^category:(read|write|execute|network|agent|user)$/.test(key)) return [key];
  if (OWN_TOOLS.includes(key) || key.startsWith('mcp')) return [key];
  if (!/[*?]/.test(key)) return undefined;
  const foreign = Object.entries(OPENCODE_TOOLS).filter(([name]) => key !== '*' && matchesWildcard(key, name));
  return [key, ...foreign.flatMap(([, tools]) => tools ?? []), ...toolsOfServers(key)];
}

/** A tool of a server, or all of them: `github_*` is OpenCode's way to write `mcp__github__*`. */
function toolsOfServers(key: string): readonly string[] {
  if (key === '*' || Object.hasOwn(OPENCODE_TOOLS, key) || /^(?:fs|command|todo|user|skill|agent)_/.test(key))
    return [];
  const ways = [...key.matchAll(/_/g)].map(({ index }) => `${key.slice(0, index)}__${key.slice(index + 1)}`);
  return [...(/[*?]/.test(key) ? [key] : []), ...ways].map((way) => `mcp__${way}`);
}

/** None when the calls of a tool have nothing that a pattern could speak of. */
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
  // A wildcard may mean tools of extensions too.
  return /[*?]/.test(tool) ? [rule, { tool, action, argument: { kind: 'subject', pattern } }] : [rule];
}

/** Of a tool that an extension may bring it is not known here what its calls are about. */
function rulesForForeign(tool: string, pattern: string, action: PermissionAction): PermissionRule[] {
  if (pattern === '*') return [{ tool, action }];
  const kinds = (['subject', 'path', 'host'] as const).map((kind) => ({ kind, pattern }));
  return [...kinds, ...commandPatterns(pattern, action)].map((argument) => ({ tool, action, argument }));
}

/** Of the last rule that matches; `otherwise` when none does. */
export function targetAction(
  rules: readonly TargetRule[],
  name: string,
  otherwise: PermissionAction,
): PermissionAction {
  return rules.findLast(({ pattern }) => matchesWildcard(pattern, name))?.action ?? otherwise;
}

/** `git push *`: the words, which can be judged part by part in a compound line. Anything else is an expression. */
export function commandPatterns(pattern: string, action: PermissionAction): ArgumentPattern[] {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  const whole: ArgumentPattern = { kind: 'regex', pattern: `^${expression}$` };
  const words = /^([^*?]*?[^*?\s])(\s*)\*$/.exec(pattern);
  if (!words) return [whole];
  const begin: ArgumentPattern = { kind: 'command', words: (words[1] ?? '').trim().split(/\s+/) };
  // “rm*” also means “rmdir”: denied it is, and allowed only by its own words.
  return words[2] === '' && action !== 'allow' ? [begin, whole] : [begin];
}
