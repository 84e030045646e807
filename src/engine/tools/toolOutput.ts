import type { Image, SeenFile } from '../messages/attachment';
import type { ToolDetail } from '../messages/toolResult';

/** What a tool gives back when it did its work. */
export interface ToolOutput {
  /** For the model. */
  text: string;
  /** Pictures for a model that sees; a model that does not is told that there were some. */
  images?: readonly Image[];
  /** For the card. */
  detail?: ToolDetail;
  /** What the model knows of a file by it. */
  seen?: SeenFile;
}
