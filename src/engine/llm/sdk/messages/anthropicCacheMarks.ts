import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
} from '@anthropic-ai/sdk/resources/messages';

const MARK = { cache_control: { type: 'ephemeral' as const } };
/** Two, so that the turn that was the last one before is still found in the cache. */
const MARKED_TURNS = 2;

/**
 * Marks where the vendor may cache: after the tools, after the system prompt, and after the last two turns of the user,
 * which are the four marks that it allows. Changes nothing of what it is given.
 */
export function anthropicCacheMarks(params: MessageCreateParamsStreaming): MessageCreateParamsStreaming {
  const { system, tools, messages } = params;
  const userTurns = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const marked = new Set(userTurns.slice(-MARKED_TURNS));
  return {
    ...params,
    messages: messages.map((message, index) => (marked.has(index) ? markedTurn(message) : message)),
    ...(typeof system === 'string' && { system: [{ type: 'text' as const, text: system, ...MARK }] }),
    ...(tools && { tools: tools.map((tool, index) => (index === tools.length - 1 ? { ...tool, ...MARK } : tool)) }),
  };
}

function markedTurn(message: MessageParam): MessageParam {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const { content } = message;
  const last = content.length - 1;
  return { role: 'user', content: content.map((block, index) => (index === last ? markedBlock(block) : block)) };
}

function markedBlock(block: ContentBlockParam): ContentBlockParam {
  return block.type === 'text' || block.type === 'tool_result' || block.type === 'image'
    ? { ...block, ...MARK }
    : block;
}
