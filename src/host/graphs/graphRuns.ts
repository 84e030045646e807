import { GraphRuns } from '../../engine';
import type { Host } from '../host';

/** The runs of graphs that this machine has. */
export function graphRunsOf({ engine, files, paths }: Pick<Host, 'engine' | 'files' | 'paths'>): GraphRuns {
  return new GraphRuns(engine.sessions, { files, paths, clock: { now: () => Date.now() } });
}
