import { isRecord } from '../../../base/isRecord';
import type { Image } from '../../messages/attachment';
import { callArguments } from '../../messages/callArguments';
import type { ToolCall } from '../../messages/toolCall';
import type { ToolResult } from '../../messages/toolResult';

/** What a model wrote that nobody could read, under a name that says so. */
const UNREADABLE = 'unreadable_arguments';

/**
 * The arguments of a call as an object, as vendors want them back: what the tool was given. What nobody could read, and what
 * therefore did not run, stays the text that it was, so that the model is never shown another call than the one it made.
 */
export function callInput(call: ToolCall): Record<string, unknown> {
  const read = callArguments(call);
  if (read.ok && isRecord(read.value) && !Array.isArray(read.value)) return read.value;
  return { [UNREADABLE]: call.arguments };
}

/** The text of a result for an interface that has no flag for errors: the text says it. */
export function resultText({ status, text }: ToolResult): string {
  const said = text.trim() === '' ? '(no output)' : text;
  return status === 'error' && !/^error\b/i.test(said) ? `Error: ${said}` : said;
}

/** A picture as a `data:` address. */
export function imageUrl({ mediaType, data }: Image): string {
  return `data:${mediaType};base64,${data}`;
}
