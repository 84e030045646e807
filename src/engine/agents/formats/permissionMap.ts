import * as z from 'zod';
import { matchesWildcard } from '../../../base/wildcard';
import type { ArgumentPattern, PermissionAction, PermissionRule } from '../../permissions/permissionRule';
import type { TargetRule } from '../agentDefinition';
import { OPENCODE_TOOLS, OWN_TOOLS } from '../../content/toolNames';

const action = z.enum(['allow', 'ask', 'deny']);

/** `permission`: one action for everything, or for each tool an action or a map of patterns. */
export const permissionMapSchema = z.union([
  action,
  z.record(z.string(), z.union([action, z.record(z.string(), action)])),
]);
export type PermissionMap = z.infer<typeof permissionMapSchema>;

export interface ReadPermissions {
  rules: PermissionRule[];
  taskTargets: TargetRule[] | null;
  /** Keys that name no tool of ours. */
  unknown: string[];
  /** True when a key is the name of one of our own tools. */
  saysOwnNames: boolean;
}

/** Rules in the order of the file, so that the last match wins as it does in OpenCode. */
export function readPermissionMap(map: PermissionMap): ReadPermissions {
  const read: ReadPermissions = { rules: [], taskTargets: null, unknown: [], saysOwnNames: false };
  if (typeof map === 'string') return { ...read, rules: [{ tool: '*', action: map }] };
  for (const [key, value] of Object.entries(map)) {
    const entries = Object.entries(typeof value === 'string' ? { '*': value } : value);
    if (key === 'task') {
      read.taskTargets = [...(read.taskTargets ?? []), ...entries.map(([pattern, act]) => ({ pattern, action: act }))];
      continue;
    }
    const tools = toolsOf(key);
    if (!tools) {
      read.unknown.push(key);
      continue;
    }
    read.saysOwnNames ||= !Object.hasOwn(OPENCODE_TOOLS, key) && !/[*?]/.test(key);
    for (const [pattern, act] of entries) read.rules.push(...tools.map((tool) => ruleFor(tool, pattern, act)));
  }
  return read;
}

/** Null when nothing of ours is meant; an empty list when we have nothing for it. */
function toolsOf(key: string): readonly string[] | undefined {
  if (Object.hasOwn(OPENCODE_TOOLS, key)) return OPENCODE_TOOLS[key] ?? [];
  if (/^category:(read|write|execute|network|agent|user)$/.test(key)) return [key];
  if (OWN_TOOLS.includes(key) || key.startsWith('mcp')) return [key];
  if (!/[*?]/.test(key)) return undefined;
  const foreign = Object.entries(OPENCODE_TOOLS).filter(([name]) => key !== '*' && matchesWildcard(key, name));
  return [key, ...foreign.flatMap(([, tools]) => tools ?? [])];
}

function ruleFor(tool: string, pattern: string, act: PermissionAction): PermissionRule {
  if (pattern === '*') return { tool, action: act };
  return { tool, action: act, argument: argumentFor(tool, pattern) };
}

function argumentFor(tool: string, pattern: string): ArgumentPattern {
  if (tool === 'fetch_url') return { kind: 'host', pattern };
  if (tool !== 'execute_command') return { kind: 'path', pattern };
  const words = /^([^*?]*?) ?\*$/.exec(pattern)?.[1];
  // Words can be judged part by part in a compound line, so they are taken where the pattern allows it.
  if (words !== undefined && words !== '' && (pattern.endsWith(' *') || !/\s$/.test(words))) {
    return { kind: 'command', words: words.trim().split(/\s+/) };
  }
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return { kind: 'regex', pattern: `^${expression}$` };
}

/** Of the last rule that matches; `otherwise` when none does. */
export function targetAction(
  rules: readonly TargetRule[],
  name: string,
  otherwise: PermissionAction,
): PermissionAction {
  return rules.findLast(({ pattern }) => matchesWildcard(pattern, name))?.action ?? otherwise;
}
