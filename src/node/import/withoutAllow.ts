import { isRecord } from '../../base/isRecord';

/** Told of each agent out of which something was taken. */
export const NO_ALLOWANCE = 'What it allowed was left out: Cairn asks you, and you can choose “Always”.';

/** Of an agent's `permission` what asks or denies; undefined when nothing is left. An agent of yours could allow itself things. */
export function withoutAllow(permission: unknown): { kept: unknown; isChanged: boolean } {
  if (permission === 'allow') return { kept: undefined, isChanged: true };
  if (!isRecord(permission) || Array.isArray(permission)) return { kept: permission, isChanged: false };
  let isChanged = false;
  const entries = Object.entries(permission).flatMap(([key, value]) => {
    const inner = withoutAllow(value);
    isChanged ||= inner.isChanged;
    return inner.kept === undefined ? [] : [[key, inner.kept] as const];
  });
  return { kept: entries.length > 0 ? Object.fromEntries(entries) : undefined, isChanged };
}
