import { EngineError } from '../engineError';

/** Why no model answers: the name is written wrongly, there is none, or nobody knows its provider or itself. */
export type ModelResolutionKind = 'malformed' | 'missing' | 'unknown-provider' | 'unknown-model';

/** An EngineError `invalid-input` where what was written is wrong, `not-found` where nobody knows it. */
export class ModelResolutionError extends EngineError {
  constructor(
    readonly kind: ModelResolutionKind,
    message: string,
  ) {
    super(kind === 'malformed' || kind === 'missing' ? 'invalid-input' : 'not-found', message);
    this.name = 'ModelResolutionError';
  }
}
