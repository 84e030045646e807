import type { VisitView } from '../../src/protocol/graphPage';

/** A part of a lane, as fractions of the whole time from 0 to 1. */
interface TimePart {
  readonly kind: 'waited' | 'ran' | 'asked';
  readonly from: number;
  readonly length: number;
}

/** Total times, in milliseconds. */
type TimeSums = Readonly<Record<TimePart['kind'], number>>;

/** Returns where the time of one visit went, relative to the time from `start` to `end`. An unfinished visit extends to `end`. */
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

/** Sums up the times of visits. While the user was being asked, nothing else was done. */
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

/** Returns when a visit ended. An interrupted visit has no known end and counts as zero. */
function endOf({ endedAt, state, beganAt }: VisitView, end: number): number {
  return endedAt ?? (state === 'stopped' ? beganAt : end);
}
