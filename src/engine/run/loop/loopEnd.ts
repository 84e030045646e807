import type { RunOutcome } from '../../events/runOutcome';

/** Thrown by a loop of ours to end its run with something else than an answer. */
export class LoopEnd extends Error {
  constructor(
    readonly outcome: Exclude<RunOutcome, { kind: 'completed' }>,
    options?: ErrorOptions,
  ) {
    super(outcome.kind === 'failed' ? outcome.message : `The run ended: ${outcome.kind}.`, options);
    this.name = 'LoopEnd';
  }
}
