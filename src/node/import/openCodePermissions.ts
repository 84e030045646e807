import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import {
  permissionListSchema,
  permissionMapSchema,
  type PermissionRule,
  readPermissionList,
  readPermissionMap,
} from '../../engine';
import type { Found } from './importItem';
import type { JsonFile } from './readData';

/** The settings, and what is found in them. */
interface RulesPlace {
  readonly file: JsonFile;
  readonly found: Found;
}

/**
 * Converts the older way to deny tools, a map of switches, into denials. Anything other than a map of booleans is returned
 * unchanged, to be reported.
 */
export function switchedOff(tools: unknown): unknown {
  const { data } = z.record(z.string(), z.boolean()).safeParse(tools);
  return data ? Object.fromEntries(Object.entries(data).flatMap(([name, on]) => (on ? [] : [[name, 'deny']]))) : tools;
}

/** Adds an item for each entry of the settings that has rules. Those that allow are left out. */
export function ruleItems(written: unknown, key: 'permission' | 'permissions' | 'tools', at: RulesPlace): void {
  if (written === undefined) return;
  const { file, found } = at;
  const read = Array.isArray(written) ? rulesInList(written) : rulesInMap(written);
  if (!read) {
    const what = Array.isArray(written) ? 'a list of rules' : 'a map of tools';
    found.problems.push(`${file.place([key])}: “${key}” is not ${what}, so none of its rules were imported.`);
    return;
  }
  for (const { tool, where, rules } of read) {
    const from = file.place([key, where]);
    const strict = rules.filter(({ action }) => action !== 'allow');
    const name = `of ${tool}`;
    const why = 'Rules that allow are not imported. Choose “Always” when Cairn asks.';
    if (strict.length === 0) {
      found.items.push({ kind: 'rule', name, from, content: { type: 'left', why }, notes: [] });
      continue;
    }
    const because = 'Imported from OpenCode.';
    const content = { type: 'rules', rules: strict.map((rule) => ({ ...rule, because })) } as const;
    const notes = strict.length < rules.length ? [why] : [];
    found.items.push({ kind: 'rule', name, from, content, notes });
  }
}

interface ToolRules {
  readonly tool: string;
  /** The key or the index of the entry. */
  readonly where: string;
  readonly rules: readonly PermissionRule[];
}

function rulesInMap(written: unknown): ToolRules[] | undefined {
  const { data } = permissionMapSchema.safeParse(written);
  if (data === undefined) return undefined;
  return Object.entries(typeof data === 'string' ? { '*': data } : data).map(([tool, value]) => ({
    tool,
    where: tool,
    rules: readPermissionMap({ [tool]: value }).rules,
  }));
}

function rulesInList(written: unknown): ToolRules[] | undefined {
  const { data } = permissionListSchema.safeParse(written);
  return data?.map((rule, index) => ({
    tool: rule.action,
    where: String(index),
    rules: readPermissionList([rule]).rules,
  }));
}

/** Note on each agent from which something was removed. */
export const NO_ALLOWANCE = 'What it allowed was left out: Cairn asks you, and you can choose “Always”.';

/** What limits an agent, as a map or as a list, in version 1 and 2. */
export const LIMITS: readonly string[] = ['permission', 'permissions'];

/** Returns what asks or denies in an agent's permissions. An agent of the user's own could otherwise allow itself things. */
export function limitsIn(fields: Readonly<Record<string, unknown>>): {
  limits: [string, unknown][];
  isChanged: boolean;
} {
  const all = LIMITS.map((key) => [key, withoutAllow(fields[key])] as const);
  return {
    limits: all.flatMap(([key, { kept }]): [string, unknown][] => (kept === undefined ? [] : [[key, kept]])),
    isChanged: all.some(([, { isChanged }]) => isChanged),
  };
}

/** Keeps what asks or denies; undefined if nothing remains. */
function withoutAllow(permission: unknown): { kept: unknown; isChanged: boolean } {
  if (permission === 'allow') return { kept: undefined, isChanged: true };
  if (!isRecord(permission)) return { kept: permission, isChanged: false };
  if (Array.isArray(permission)) {
    const kept = permission.filter((rule) => !allows(rule));
    return { kept: kept.length > 0 ? kept : undefined, isChanged: kept.length < permission.length };
  }
  let isChanged = false;
  const entries = Object.entries(permission).flatMap(([key, value]) => {
    const inner = withoutAllow(value);
    isChanged ||= inner.isChanged;
    return inner.kept === undefined ? [] : [[key, inner.kept] as const];
  });
  return { kept: entries.length > 0 ? Object.fromEntries(entries) : undefined, isChanged };
}

/** Whether a rule of a list allows something, in either spelling. */
function allows(rule: unknown): boolean {
  return isRecord(rule) && (rule['effect'] === 'allow' || (rule['effect'] === undefined && rule['action'] === 'allow'));
}
