import type { ResponseInput, ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses';
import type { Image } from '../../../messages/attachment';
import type { AssistantMessage, Message, UserMessage } from '../../../messages/message';
import type { ToolResult } from '../../../messages/toolResult';
import { callInput, imageUrl, resultText } from '../sentParts';
import { memoizeByObject } from '../../../../base/memoizeByObject';
import { wireName } from '../../../messages/toolCall';
import { readReasoningSignature } from './responseReplyReader';

/** Converts a conversation to Responses input. Reasoning is sent back unchanged, but only to the model that produced it. */
export function responseInput(messages: readonly Message[], model: string): ResponseInput {
  return messages.flatMap((message) =>
    message.role === 'assistant' && message.model === model ? ownItems(message) : foreignItems(message),
  );
}

const ownItems = memoizeByObject((message: AssistantMessage) => assistantItems(message, true));
const foreignItems = memoizeByObject((message: Message): ResponseInputItem[] => {
  switch (message.role) {
    case 'user':
      return userItems(message);
    case 'assistant':
      return assistantItems(message, false);
    case 'tool':
      return message.results.map(resultItem);
  }
});

function userItems({ parts }: UserMessage): ResponseInputItem[] {
  const content = parts.flatMap((part): ResponseInputContent[] => {
    if (part.type === 'image') return [imageContent(part.image)];
    return part.text.trim() === '' ? [] : [{ type: 'input_text', text: part.text }];
  });
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

function assistantItems({ parts }: AssistantMessage, own: boolean): ResponseInputItem[] {
  const items = parts.flatMap((part): ResponseInputItem[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ role: 'assistant', content: part.text }];
      case 'thinking': {
        const proof = own && part.signature !== undefined ? readReasoningSignature(part.signature) : undefined;
        return proof ? [reasoningItem(part.text, proof)] : [];
      }
      case 'redacted-thinking':
        return [];
      case 'tool-call': {
        const { call } = part;
        const name = wireName(call.name).slice(0, 64);
        const given = JSON.stringify(callInput(call));
        return [{ type: 'function_call', call_id: wireName(call.id), name, arguments: given }];
      }
    }
  });
  // The API rejects reasoning that nothing follows, as a cut-off answer can leave behind.
  return items.slice(0, items.findLastIndex((item) => item.type !== 'reasoning') + 1);
}

function reasoningItem(text: string, { id, encrypted }: { id: string; encrypted: string }): ResponseInputItem {
  const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }];
  return { type: 'reasoning', id, summary, encrypted_content: encrypted };
}

function resultItem(result: ToolResult): ResponseInputItem {
  const { callId, images = [] } = result;
  const text = resultText(result);
  const output = images.length === 0 ? text : [{ type: 'input_text' as const, text }, ...images.map(imageContent)];
  return { type: 'function_call_output', call_id: wireName(callId), output };
}

function imageContent(image: Image) {
  return { type: 'input_image' as const, detail: 'auto' as const, image_url: imageUrl(image) };
}
