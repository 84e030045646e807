import { isAbort } from '../../../base/abort';
import { newId } from '../../../base/newId';
import type { Message } from '../../messages/message';
import type { Clock } from '../../ports';
import type { LlmEvent } from '../llmClient';
import type { Provider } from '../provider';

const MS_PER_WORD = 12;
const TOUR = 'demo:tour';

/** Returns the provider of `demo:tour`: a script in place of a model, which needs no key and says that it is scripted. */
export function demoProvider(clock: Clock): Provider {
  return {
    id: 'demo',
    label: 'Scripted demo',
    needsKey: false,
    isReady: () => Promise.resolve(true),
    client: ({ id }) => ({
      stream: ({ messages }, signal) => (id === TOUR ? playStep(messages, clock, signal) : noSuchScript(id)),
    }),
  };
}

async function* noSuchScript(id: string): AsyncGenerator<LlmEvent, void, void> {
  const message = `There is no ${id}; the only scripted demo is ${TOUR}. Choose that, or a model.`;
  await Promise.resolve();
  yield { type: 'failed', failure: { reason: 'unknown-model', message } };
}

/** Streams the next step word by word, then makes its calls. */
async function* playStep(
  messages: readonly Message[],
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  const { nextTourStep } = await import('./tour/nextTourStep');
  const { text, calls } = nextTourStep(messages);
  try {
    for (const word of text.match(/\S+\s*/g) ?? []) {
      await clock.sleep(MS_PER_WORD, signal);
      yield { type: 'text-delta', text: word };
    }
    for (const { name, input } of calls) {
      await clock.sleep(MS_PER_WORD, signal);
      const call = { id: newId('call'), name, arguments: JSON.stringify(input) };
      yield { type: 'tool-call-started', id: call.id, name };
      yield { type: 'tool-call', call };
    }
    yield { type: 'finished', reason: calls.length > 0 ? 'tool-calls' : 'stop' };
  } catch (error) {
    if (!isAbort(error)) throw error;
    yield { type: 'failed', failure: { reason: 'cancelled', message: 'The demo was canceled.' } };
  }
}
