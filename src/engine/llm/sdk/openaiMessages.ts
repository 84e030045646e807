import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { type AssistantMessage, type Message, textOf, toolCallsOf } from '../../messages/message';
import type { ToolResult } from '../../messages/toolResult';
import { callInput } from './callInput';
import { wireName } from './wireName';

/**
 * A conversation as Chat Completions wants it. Thinking is left out: this interface takes none back. Broken arguments
 * go out as `{}`, because several hosts parse them and fail.
 */
export function openaiMessages(system: string, messages: readonly Message[]): ChatCompletionMessageParam[] {
  const head: ChatCompletionMessageParam[] = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  return [...head, ...messages.flatMap(openaiMessage)];
}

function openaiMessage(message: Message): ChatCompletionMessageParam[] {
  switch (message.role) {
    case 'user': {
      const content = textOf(message);
      return content.trim() === '' ? [] : [{ role: 'user', content }];
    }
    case 'assistant':
      return assistantMessage(message);
    case 'tool':
      return message.results.map((result) => ({
        role: 'tool',
        tool_call_id: wireName(result.callId),
        content: resultText(result),
      }));
  }
}

function assistantMessage(message: AssistantMessage): ChatCompletionAssistantMessageParam[] {
  const content = textOf(message);
  const calls = toolCallsOf(message);
  if (calls.length === 0) return content.trim() === '' ? [] : [{ role: 'assistant', content }];
  return [
    {
      role: 'assistant',
      content: content.trim() === '' ? null : content,
      tool_calls: calls.map((call) => ({
        id: wireName(call.id),
        type: 'function',
        function: { name: wireName(call.name).slice(0, 64), arguments: JSON.stringify(callInput(call)) },
      })),
    },
  ];
}

/** This interface has no flag for errors, so the text says it. */
function resultText({ status, text }: ToolResult): string {
  const said = text.trim() === '' ? '(no output)' : text;
  return status === 'error' && !/^error\b/i.test(said) ? `Error: ${said}` : said;
}
