import { isRecord } from '../../base/isRecord';

/** Note on each agent from which something was removed. */
export const NO_ALLOWANCE = 'What it allowed was left out: Cairn asks you, and you can choose “Always”.';

/**
 * Keeps what asks or denies in an agent's `permission`; undefined if nothing remains. An agent of the user's own could otherwise
 * allow itself things.
 */
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
