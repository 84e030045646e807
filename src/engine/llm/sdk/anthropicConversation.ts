import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { type AssistantMessage, type Message, textOf } from '../../messages/message';
import type { ToolResult } from '../../messages/toolResult';
import { callInput } from './callInput';
import { wireName } from './wireName';

interface Turn {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

/**
 * A conversation as Messages wants it: turns alternate, results of tools are the user's and come first, no text is blank.
 * Thinking goes back as it came, but only to the model (`provider:model`) that signed it.
 */
export function anthropicConversation(messages: readonly Message[], model: string): MessageParam[] {
  const turns: Turn[] = [];
  for (const { role, content } of messages.map((message) => turnOf(message, model))) {
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

function turnOf(message: Message, model: string): Turn {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: textBlock(textOf(message)) };
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message, model) };
    case 'tool':
      return { role: 'user', content: message.results.map(resultBlock) };
  }
}

function assistantContent(message: AssistantMessage, model: string): ContentBlockParam[] {
  const content = message.parts.flatMap((part): ContentBlockParam[] => {
    switch (part.type) {
      case 'text':
        return textBlock(part.text);
      case 'thinking':
        if (part.signature === undefined || message.model !== model) return [];
        return [{ type: 'thinking', thinking: part.text, signature: part.signature }];
      case 'redacted-thinking':
        return message.model === model ? [{ type: 'redacted_thinking', data: part.data }] : [];
      case 'tool-call': {
        const { call } = part;
        const name = wireName(call.name).slice(0, 128);
        return [{ type: 'tool_use', id: wireName(call.id), name, input: callInput(call) }];
      }
    }
  });
  // A turn of thinking alone, as a cut-off answer leaves it, is refused.
  const says = content.some(({ type }) => type === 'text' || type === 'tool_use');
  return says ? content : [];
}

function resultBlock({ callId, status, text }: ToolResult): ContentBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: wireName(callId),
    content: text.trim() === '' ? '(no output)' : text,
    ...(status !== 'ok' && { is_error: true }),
  };
}

function textBlock(text: string): ContentBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}
