import type { Image, SeenFile } from '../messages/attachment';
import type { ToolDetail } from '../messages/toolCall';

/** The result of a tool that succeeded. */
export interface ToolOutput {
  /** For the model. */
  text: string;
  /** Images, for a model that accepts them; other models are told that there were some. */
  images?: readonly Image[];
  /** For the card. */
  detail?: ToolDetail;
  /** The part of a file that the model knows from it. */
  seen?: SeenFile;
}

/** A call that failed, with a message for the model: what happened and what to do next. */
export class ToolFailure extends Error {
  constructor(
    readonly kind: 'unknown-tool' | 'bad-arguments' | 'failed',
    message: string,
    /** True if the call was not run, because it only repeated earlier calls. */
    readonly isRepeated = false,
  ) {
    super(message);
    this.name = 'ToolFailure';
  }
}
