import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { joinBytes } from '../../../../base/concatAll';
import { memoizeByObject } from '../../../../base/memoizeByObject';
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
  const head = encoder.encode(`${JSON.stringify(rest).slice(0, -1)},"messages":[`);
  const said = list(messages.map(messageBytes));
  return joinBytes([head, ...said, LIST_END, ...(tools.length === 0 ? [] : [offered(tools)]), OBJECT_END]);
}

const OFFERED = encoder.encode(',"tools":[');
const LIST_END = encoder.encode(']');
const OBJECT_END = encoder.encode('}');

/** Without the comma before the first. */
const list = ([first, ...more]: readonly Uint8Array[]): Uint8Array[] => (first ? [first.subarray(1), ...more] : []);

const messageBytes = memoizeByObject((message: object) => encoder.encode(`,${JSON.stringify(message)}`));

/** What stands in a request for its tools. */
const offered = memoizeByObject((tools: readonly ToolSpec[]) =>
  joinBytes([OFFERED, ...list(tools.map(toolBytes)), LIST_END]),
);

const toolBytes = memoizeByObject((tool: ToolSpec) =>
  encoder.encode(`,${JSON.stringify({ type: 'function', function: tool })}`),
);
