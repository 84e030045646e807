import type { RunOutcome } from './runOutcome';

type Limit = Extract<RunOutcome, { kind: 'limit-reached' }>['limit'];

/** Why a run was stopped, to be put behind “because”. */
export function limitText(limit: Limit): string {
  if (limit === 'repeats') return 'it kept calling the same tool in the same way';
  return `its limit of ${limit} was reached`;
}
