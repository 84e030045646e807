import type { Image, SeenFile } from '../messages/attachment';
import type { ToolDetail } from '../messages/toolResult';

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
