import { ToolFailure } from '../../toolFailure';

/** A failure that reveals nothing about a file's content, so it may be reported before anyone was asked about the file. */
export class TellableFailure extends ToolFailure {
  constructor(message: string) {
    super('failed', message);
  }
}
