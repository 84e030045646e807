import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import type { LlmClient } from './llmClient';
import type { LlmEvent } from './llmEvent';
import type { LlmFailure } from './llmFailure';
import type { LlmRequest } from './llmRequest';
import type { Provider } from './provider';

/** A provider that others bring: whatever it throws becomes what the contract says, so that it never breaks a run. */
export function guardedProvider(provider: Provider): Provider {
  const { id, label, needsKey, slowToList } = provider;
  let problem: string | undefined;
  return {
    id,
    label,
    needsKey,
    ...(slowToList && { slowToList }),
    assumes: (name) => provider.assumes?.(name) ?? {},
    isReady: () => orElse(async () => provider.isReady(), false),
    async listModels(signal) {
      problem = undefined;
      try {
        return (await provider.listModels?.(signal)) ?? [];
      } catch (error) {
        if (!isAbort(error)) problem = `${label} lists no models: ${errorText(error)}.`;
        return [];
      }
    },
    listProblem: () => problem,
    describe: (model, signal) => orElse(async () => (await provider.describe?.(model, signal)) ?? model, model),
    client: (model) => ({ stream: (request, signal) => guarded(() => provider.client(model), label, request, signal) }),
  };
}

/** Also when it throws before there is a promise. */
async function orElse<T>(work: () => Promise<T>, other: T): Promise<T> {
  return work().catch(() => other);
}

async function* guarded(
  open: () => LlmClient,
  label: string,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  try {
    for await (const event of open().stream(request, signal)) {
      yield event;
      if (event.type === 'finished' || event.type === 'failed') return;
    }
  } catch (error) {
    yield { type: 'failed', failure: failureOf(error, label, signal) };
  }
}

function failureOf(error: unknown, label: string, signal: AbortSignal): LlmFailure {
  if (signal.aborted || isAbort(error)) return { reason: 'cancelled', message: 'The request was cancelled.' };
  const message = `${label} failed: ${errorText(error)}. Try again, or choose another model.`;
  return { reason: 'bad-request', message };
}
