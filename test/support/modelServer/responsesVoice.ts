import { randomUUID } from 'node:crypto';
import type { Voice } from './player';
import type { SseStream } from './sseStream';
import type { Step } from './story';

/** Writes Responses streams. Reasoning is encrypted if the request asks for it. */
export function responsesVoice(stream: SseStream, model: string, encrypts: boolean): Voice {
  let sequence = 0;
  let index = -1;
  let open: { kind: 'text' | 'thinking' | 'refusal'; item: Record<string, unknown>; text: string } | undefined;
  const output: object[] = [];
  const response = { id: `resp_${randomUUID()}`, object: 'response', created_at: 1_700_000_000, model };
  const event = (type: string, data: object) => stream.send({ type, sequence_number: sequence++, ...data }, type);
  const add = (item: Record<string, unknown>) => {
    event('response.output_item.added', { output_index: ++index, item: { ...item, status: 'in_progress' } });
    return item;
  };
  const done = (item: Record<string, unknown>) => {
    output.push(item);
    event('response.output_item.done', { output_index: index, item: { ...item, status: 'completed' } });
  };
  const at = (item: Record<string, unknown>) => ({ item_id: item['id'], output_index: index, content_index: 0 });
  const close = () => {
    if (open?.kind === 'text')
      done({ ...open.item, content: [{ type: 'output_text', text: open.text, annotations: [] }] });
    if (open?.kind === 'refusal') done({ ...open.item, content: [{ type: 'refusal', refusal: open.text }] });
    open = undefined;
  };
  const openMessage = (kind: 'text' | 'refusal') => {
    if (open?.kind === kind) return open;
    close();
    open = {
      kind,
      item: add({ id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', content: [] }),
      text: '',
    };
    return open;
  };
  let call: Record<string, unknown> = {};
  let given = '';
  return {
    begin() {
      event('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } });
    },
    think(piece) {
      if (open?.kind !== 'thinking') {
        close();
        open = { kind: 'thinking', item: add({ id: `rs_${randomUUID()}`, type: 'reasoning', summary: [] }), text: '' };
        event('response.reasoning_summary_part.added', { ...at(open.item), summary_index: 0 });
      }
      open.text += piece;
      event('response.reasoning_summary_text.delta', { ...at(open.item), summary_index: 0, delta: piece });
    },
    thought(step) {
      if (open?.kind !== 'thinking') return;
      const summary = [{ type: 'summary_text', text: open.text }];
      done({
        ...open.item,
        summary,
        ...(encrypts && { encrypted_content: step.signature ?? `secret-${randomUUID()}` }),
      });
      open = undefined;
    },
    redacted: () => undefined,
    say(piece) {
      const { item } = openMessage('text');
      if (open) open.text += piece;
      event('response.output_text.delta', { ...at(item), delta: piece });
    },
    refuse(piece) {
      const { item } = openMessage('refusal');
      if (open) open.text += piece;
      event('response.refusal.delta', { ...at(item), delta: piece });
    },
    beginCall({ name, id }) {
      close();
      given = '';
      const callId = id || `call_${randomUUID()}`;
      call = add({ id: `fc_${randomUUID()}`, type: 'function_call', call_id: callId, name, arguments: '' });
    },
    callPiece(piece) {
      given += piece;
      event('response.function_call_arguments.delta', { ...at(call), delta: piece });
    },
    endCall() {
      event('response.function_call_arguments.done', { ...at(call), arguments: given });
      done({ ...call, arguments: given });
    },
    error: () => event('error', { code: 'server_error', message: 'The server had an error', param: null }),
    overloaded: () =>
      event('error', {
        error: { type: 'service_unavailable_error', code: 'server_is_overloaded', message: 'Please try again later.' },
      }),
    finish(step) {
      close();
      const short = step.finish === 'length';
      const status = short ? 'incomplete' : 'completed';
      const details = short ? { reason: 'max_output_tokens' } : null;
      const ended = { ...response, status, output, error: null, incomplete_details: details, usage: usageOf(step) };
      event(`response.${status}`, { response: ended });
    },
  };
}

function usageOf({ usage }: Step): object {
  const { input, output, cached = 0, written = 0 } = usage ?? { input: 11, output: 7 };
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
