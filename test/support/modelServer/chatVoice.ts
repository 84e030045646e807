import { randomUUID } from 'node:crypto';
import type { Voice } from './player';
import type { SseStream } from './sseStream';
import type { Step } from './story';

/** Writes Chat Completions streams. */
export function chatVoice(stream: SseStream, model: string, includeUsage: boolean): Voice {
  const base = { id: `chatcmpl-${randomUUID()}`, object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const usageField = includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finish: string | null = null) =>
    stream.send({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...usageField });
  return {
    begin: () => chunk({ role: 'assistant', content: '', refusal: null }),
    think: (piece) => chunk({ reasoning_content: piece }),
    thought: () => undefined,
    redacted: () => undefined,
    say: (piece) => chunk({ content: piece }),
    refuse: (piece) => chunk({ refusal: piece }),
    beginCall({ name, id = `call_${randomUUID()}` }, index) {
      const head = { index, ...(id !== '' && { id }), type: 'function', function: { name, arguments: '' } };
      chunk({ tool_calls: [head] });
    },
    callPiece: (piece, index) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    endCall: () => undefined,
    error: () =>
      stream.send({ error: { message: 'The server had an error', type: 'server_error', code: null, param: null } }),
    overloaded: () => stream.send({ error: { message: 'The model is overloaded.', code: 503, status: 'UNAVAILABLE' } }),
    finish(step) {
      chunk({}, finishReason(step));
      const { input, output, cached = 0, written = 0 } = step.usage ?? { input: 11, output: 7 };
      const details = { prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written } };
      const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, ...details };
      if (includeUsage) stream.send({ ...base, choices: [], usage });
      stream.send('[DONE]');
    },
  };
}

function finishReason(step: Step): string {
  return step.finish ?? (step.call ? 'tool_calls' : 'stop');
}
