import { ToolFailure } from '../../toolFailure';

/** A failure that says nothing of what is in a file, so that it can be told before anyone was asked about it. */
export class TellableFailure extends ToolFailure {
  constructor(message: string) {
    super('failed', message);
  }
}
