import { open } from 'node:fs/promises';
import * as z from '../../base/zod';
import { errorCode } from '../../node/fileError';

export interface RuleUse {
  times: number;
  /** What the rule last decided on. */
  last: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The log is append-only, so its end contains the latest decisions. */
const MOST_BYTES = 2_000_000;

const line = z.object({
  time: z.string(),
  what: z.string(),
  scope: z.nullable(z.string()),
  rule: z.nullable(z.string()),
});

/** The decisions of each rule since a point in time, keyed by its scope and its name in the audit log. Skips invalid lines. */
export async function ruleUses(path: string, since: number): Promise<ReadonlyMap<string, RuleUse>> {
  const uses = new Map<string, RuleUse>();
  for (const text of (await endOf(path)).split('\n')) {
    const { data } = line.safeParse(jsonOf(text));
    const at = Date.parse(data?.time ?? '');
    if (!data?.scope || !data.rule || !(at >= since)) continue;
    const key = useKey(data.scope, data.rule);
    uses.set(key, { times: (uses.get(key)?.times ?? 0) + 1, last: data.what, at });
  }
  return uses;
}

export function useKey(scope: string, rule: string): string {
  return `${scope} ${rule}`;
}

/** Empty if nothing has been decided yet. */
async function endOf(path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - MOST_BYTES);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
