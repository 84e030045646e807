import type { Disposable } from '../../base/disposable';
import type { Emitter } from '../../base/emitter';
import type { AgentEvent } from '../events/agentEvent';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { CallStops } from '../run/callStops';
import type { PlacedMiddleware } from '../run/hooks/placedMiddleware';
import type { RunRequest } from '../run/runRequest';
import type { Steering } from '../run/steering';
import type { Lineage, TeamMember } from './team/teamMember';

/** A run that was begun. */
export interface RunSetUp {
  request: RunRequest;
  id: string;
  emitter: Emitter<AgentEvent>;
  scoped: ScopedEmitter;
  steering: Steering;
  middleware: PlacedMiddleware;
  stops: CallStops;
  abort: AbortController;
  startedAt: number;
  /** Names of the agents above it. */
  above: readonly string[];
  /** Who started it; undefined for an agent that a person did. */
  lineage: Lineage | undefined;
  team?: TeamMember;
  /** Ends the run when its time is up. */
  time?: Disposable;
  /** What may be done when the run is over and nobody waits any more. */
  afterwards?: (signal: AbortSignal) => Promise<void>;
}
