import type { RunOutcome } from '../../events/runOutcome';

/** Thrown into a loop when its run cannot go on: the model failed, or a limit is reached. */
export class RunEnded extends Error {
  constructor(readonly outcome: RunOutcome) {
    super(outcome.kind === 'failed' ? outcome.message : `The run ended: ${outcome.kind}.`);
    this.name = 'RunEnded';
  }
}
