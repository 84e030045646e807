import type { VisitView } from '../../src/protocol/graphPage';

/** A part of a lane, in shares of the whole time from 0 to 1. */
export interface TimePart {
  readonly kind: 'waited' | 'ran' | 'asked';
  readonly from: number;
  readonly length: number;
}

/** What time went to, in milliseconds. */
export type TimeSums = Readonly<Record<TimePart['kind'], number>>;

/** Where time went in one visit, of the time from `start` to `end`; what has no end yet goes on until then. */
export function timeParts(visit: VisitView, { start, end }: { start: number; end: number }): TimePart[] {
  const whole = Math.max(1, end - start);
  const part = (kind: TimePart['kind'], from: number, to: number): TimePart[] => {
    const [first, last] = [Math.max(from, start), Math.min(to, end)];
    return last > first ? [{ kind, from: (first - start) / whole, length: (last - first) / whole }] : [];
  };
  const over = endOf(visit, end);
  let ranFrom = visit.beganAt;
  const asking = visit.asks.flatMap(({ from, to }) => {
    const parts = [...part('ran', ranFrom, Math.min(from, over)), ...part('asked', from, to ?? over)];
    ranFrom = Math.max(ranFrom, to ?? over);
    return parts;
  });
  return [...part('waited', visit.waitedFrom, visit.beganAt), ...asking, ...part('ran', ranFrom, over)];
}

/** While a person was asked, nothing else was done. */
export function timeSums(visits: readonly VisitView[], end: number): TimeSums {
  let [waited, ran, asked] = [0, 0, 0];
  for (const visit of visits) {
    const inAsking = visit.asks.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? endOf(visit, end)) - from), 0);
    waited += visit.beganAt - visit.waitedFrom;
    asked += inAsking;
    ran += Math.max(0, endOf(visit, end) - visit.beganAt - inAsking);
  }
  return { waited, ran, asked };
}

/** What was cut off has no end, and took no time that is known. */
function endOf({ endedAt, state, beganAt }: VisitView, end: number): number {
  return endedAt ?? (state === 'stopped' ? beganAt : end);
}
