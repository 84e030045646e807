import { randomUUID } from 'node:crypto';
import type { Voice } from './player';
import type { SseStream } from './sseStream';
import type { Step } from './story';

/** Writes Messages streams. */
export function messagesVoice(stream: SseStream, model: string, usage: Step['usage']): Voice {
  const { input, output, cached = 0, written = 0 } = usage ?? { input: 11, output: 7 };
  let block = -1;
  let open: 'text' | 'thinking' | undefined;
  const event = (type: string, data: object) => stream.send({ type, ...data }, type);
  const delta = (value: object) => event('content_block_delta', { index: block, delta: value });
  const begin = (content: object) => event('content_block_start', { index: ++block, content_block: content });
  const end = () => event('content_block_stop', { index: block });
  const close = () => {
    if (open) end();
    open = undefined;
  };
  const openBlock = (type: 'text' | 'thinking', content: object) => {
    if (open === type) return;
    close();
    open = type;
    begin(content);
  };
  return {
    begin() {
      const counts = {
        input_tokens: input - cached - written,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: cached,
      };
      const base = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model, content: [] };
      const message = { ...base, stop_reason: null, stop_sequence: null, usage: { ...counts, output_tokens: 1 } };
      event('message_start', { message });
      event('ping', {});
    },
    think(piece) {
      openBlock('thinking', { type: 'thinking', thinking: '', signature: '' });
      delta({ type: 'thinking_delta', thinking: piece });
    },
    thought(step) {
      delta({ type: 'signature_delta', signature: step.signature ?? `signature-${randomUUID()}` });
      close();
    },
    redacted(data) {
      begin({ type: 'redacted_thinking', data });
      end();
    },
    say(piece) {
      openBlock('text', { type: 'text', text: '' });
      delta({ type: 'text_delta', text: piece });
    },
    refuse(piece) {
      openBlock('text', { type: 'text', text: '' });
      delta({ type: 'text_delta', text: piece });
    },
    beginCall({ name, id }) {
      close();
      begin({ type: 'tool_use', id: id || `toolu_${randomUUID().replaceAll('-', '')}`, name, input: {} });
      delta({ type: 'input_json_delta', partial_json: '' });
    },
    callPiece: (piece) => delta({ type: 'input_json_delta', partial_json: piece }),
    endCall: end,
    error: () => event('error', { error: { type: 'api_error', message: 'The server had an error' } }),
    overloaded: () => event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    finish(step) {
      close();
      const reason = stopReason(step);
      event('message_delta', {
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: output },
      });
      event('message_stop', {});
    },
  };
}

function stopReason(step: Step): string {
  if (step.refuse !== undefined) return 'refusal';
  if (step.finish !== undefined) return step.finish === 'length' ? 'max_tokens' : 'end_turn';
  return step.call ? 'tool_use' : 'end_turn';
}
