import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
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
  const head = JSON.stringify(rest).slice(0, -1);
  const offered = tools.length === 0 ? '' : `,"tools":[${tools.map(toolJson).join()}]`;
  return encoder.encode(`${head},"messages":[${messages.map(json).join()}]${offered}}`);
}

const json = memoizeByObject((value: object) => JSON.stringify(value));

const toolJson = memoizeByObject((tool: ToolSpec) => JSON.stringify({ type: 'function', function: tool }));
