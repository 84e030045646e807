import type { Used } from '../desk';

export const NOTHING: Used = { tokens: 0, costUsd: 0 };

export function sum(one: Used, other: Used): Used {
  return { tokens: one.tokens + other.tokens, costUsd: one.costUsd + other.costUsd };
}
