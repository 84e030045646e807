import { isRecord } from '../../../base/isRecord';
import type { Image } from '../../messages/attachment';
import { callArguments } from '../../messages/callArguments';
import type { ToolCall, ToolResult } from '../../messages/toolCall';

/** The key under which a model's unparseable arguments are sent back. */
const UNREADABLE = 'unreadable_arguments';

/**
 * Returns the arguments of a call as an object, as vendors require: what the tool was given. Arguments that could not be parsed,
 * so that the call did not run, stay verbatim text; the model is never shown a call other than the one it made.
 */
export function callInput(call: ToolCall): Record<string, unknown> {
  const read = callArguments(call);
  if (read.ok && isRecord(read.value) && !Array.isArray(read.value)) return read.value;
  return { [UNREADABLE]: call.arguments };
}

/** Returns a result's text for an API without an error flag: the text itself marks errors. */
export function resultText({ status, text }: ToolResult): string {
  const said = text.trim() === '' ? '(no output)' : text;
  return status === 'error' && !/^error\b/i.test(said) ? `Error: ${said}` : said;
}

/** Returns an image as a `data:` URL. */
export function imageUrl({ mediaType, data }: Image): string {
  return `data:${mediaType};base64,${data}`;
}
