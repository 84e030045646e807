import * as vscode from 'vscode';
import { untilAborted } from '../../base/abort';
import type { ListedModel, LlmEvent, LlmRequest, Model, Provider } from '../../engine';

const PROVIDER = 'vscode';
/** Listing waits for other extensions to start, and some never answer. */
const LIST_TIMEOUT_MS = 3000;

/**
 * Provides the editor's own language models as `vscode:vendor/id`. They need no API key; the editor asks the user for consent on
 * the first request. Must not be listed while the extension activates, because listing may wait for that.
 */
export function vscodeLmProvider(): Provider {
  let latest: Promise<readonly vscode.LanguageModelChat[]> | undefined;
  // Concurrent callers share one lookup.
  const ask = () =>
    (latest ??= select({}, AbortSignal.timeout(LIST_TIMEOUT_MS)).finally(() => {
      latest = undefined;
    }));
  const list = (signal: AbortSignal) => untilAborted(ask(), signal).catch(() => []);
  return {
    id: PROVIDER,
    label: 'The editor’s models',
    needsKey: false,
    slowToList: true,
    isReady: async () => (await list(new AbortController().signal)).length > 0,
    listModels: async (signal) => (await list(signal)).map(listedModel),
    client: (model) => ({ stream: (request, signal) => answer(model, request, signal) }),
  };
}

/** Empty if the editor does not answer in time. */
async function select(
  selector: vscode.LanguageModelChatSelector,
  signal: AbortSignal,
): Promise<readonly vscode.LanguageModelChat[]> {
  try {
    return await untilAborted(Promise.resolve(vscode.lm.selectChatModels(selector)), signal);
  } catch {
    return [];
  }
}

function listedModel({ vendor, id, name, maxInputTokens }: vscode.LanguageModelChat): ListedModel {
  const contextWindow = maxInputTokens > 0 ? maxInputTokens : null;
  const unknown = { maxOutputTokens: null, prices: null, abilities: {} };
  return { id: `${PROVIDER}:${vendor}/${id.replace(/\s/g, '')}`, label: name, contextWindow, ...unknown };
}

async function* answer(model: Model, request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent, void, void> {
  const find = async (until: AbortSignal) => (await select({}, until)).find((one) => listedModel(one).id === model.id);
  const { askEditorModel } = await import('./askEditorModel');
  yield* askEditorModel(model, find, request, signal);
}
