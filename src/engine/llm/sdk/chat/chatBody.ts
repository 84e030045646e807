import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { joinBytes } from '../../../../base/streams/joinBytes';
import { memoizeByObject } from '../../memoizeByObject';
import type { ToolSpec } from '../../llmRequest';

export interface ChatBody extends Omit<ChatCompletionCreateParamsStreaming, 'tools'> {
  tools: readonly ToolSpec[];
}

const encoder = new TextEncoder();

/**
 * The body of a request. Most of it was in the one before, so each tool and each message is written as JSON once, as long as it is
 * the same object.
 */
export function chatBody({ messages, tools, ...rest }: ChatBody): Uint8Array {
  const pieces = [encoder.encode(JSON.stringify(rest).slice(0, -1))];
  const add = (field: string, items: readonly Uint8Array[]) => {
    pieces.push(encoder.encode(`,"${field}":[`));
    // Each ends with a comma, which the last one has no use for.
    items.forEach((item, index) => pieces.push(index + 1 < items.length ? item : item.subarray(0, -1)));
    pieces.push(encoder.encode(']'));
  };
  add('messages', messages.map(json));
  if (tools.length > 0) add('tools', tools.map(toolJson));
  pieces.push(encoder.encode('}'));
  return joinBytes(pieces);
}

/** With a comma behind it. */
const json = memoizeByObject((value: object) => encoder.encode(`${JSON.stringify(value)},`));

const toolJson = memoizeByObject((tool: ToolSpec) => json({ type: 'function', function: tool }));
