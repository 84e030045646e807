import type { Usage } from '../../messages/message';
import type { LlmEvent } from '../llmEvent';

/** Reads one streamed answer of a vendor. */
export interface ReplyReader<Chunk> {
  /** What the chunk says, in order. Throws UnexpectedResponse when it is none of this vendor's chunks. */
  read(chunk: Chunk): Iterable<LlmEvent>;
  /** What is left to say, ending in `finished`; undefined when the model had not finished. */
  finish(): LlmEvent[] | undefined;
  /** Tokens as far as they were reported. */
  usage(): Usage | undefined;
}
