import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { Image } from '../../../messages/attachment';
import type { AssistantMessage, Message, UserMessage } from '../../../messages/message';
import type { ToolResult } from '../../../messages/toolResult';
import { callInput } from '../sentParts';
import { memoizeByObject } from '../../../../base/memoizeByObject';
import { wireName } from '../../../messages/toolCall';

interface Turn {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

/**
 * Converts a conversation to the form the Messages API requires: turns alternate, tool results belong to the user and come first,
 * and no text is blank. Thinking is sent back unchanged, but only to the model (`provider:model`) that signed it, and not at all
 * if `model` is null.
 */
export function anthropicConversation(messages: readonly Message[], model: string | null): (MessageParam & Turn)[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const { role, content } =
      message.role === 'assistant' && message.model === model ? ownTurn(message) : foreignTurn(message);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return turns;
}

const ownTurn = memoizeByObject((message: AssistantMessage): Turn => {
  return { role: 'assistant', content: assistantContent(message, true) };
});
const foreignTurn = memoizeByObject((message: Message): Turn => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userContent(message) };
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message, false) };
    case 'tool':
      return { role: 'user', content: message.results.map(resultBlock) };
  }
});

function userContent({ parts }: UserMessage): ContentBlockParam[] {
  if (parts.every(({ type }) => type === 'text')) {
    return textBlock(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''));
  }
  return parts.flatMap((part): ContentBlockParam[] =>
    part.type === 'image' ? [imageBlock(part.image)] : textBlock(part.text),
  );
}

function assistantContent(message: AssistantMessage, own: boolean): ContentBlockParam[] {
  const content = message.parts.flatMap((part): ContentBlockParam[] => {
    switch (part.type) {
      case 'text':
        return textBlock(part.text);
      case 'thinking':
        if (part.signature === undefined || !own) return [];
        return [{ type: 'thinking', thinking: part.text, signature: part.signature }];
      case 'redacted-thinking':
        return own ? [{ type: 'redacted_thinking', data: part.data }] : [];
      case 'tool-call': {
        const { call } = part;
        const name = wireName(call.name).slice(0, 128);
        return [{ type: 'tool_use', id: wireName(call.id), name, input: callInput(call) }];
      }
    }
  });
  // The API rejects a turn with only thinking, as a cut-off answer can leave behind.
  const says = content.some(({ type }) => type === 'text' || type === 'tool_use');
  return says ? content : [];
}

function resultBlock({ callId, status, text, images = [] }: ToolResult): ContentBlockParam {
  const said = text.trim() === '' ? '(no output)' : text;
  return {
    type: 'tool_result',
    tool_use_id: wireName(callId),
    content: images.length === 0 ? said : [{ type: 'text', text: said }, ...images.map(imageBlock)],
    ...(status !== 'ok' && { is_error: true }),
  };
}

function imageBlock({ mediaType, data }: Image): ImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

function textBlock(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}
