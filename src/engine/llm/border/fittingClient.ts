import type { LlmClient } from '../llmClient';
import { respectAbilities } from '../middleware/respectAbilities';
import type { Model } from '../model';
import { takeIn } from './takeIn';

/** A client that is given what its model can take, and whose answers are fit to be kept. `id`: `provider:model`. */
export function fittingClient(
  next: LlmClient,
  describe: (signal: AbortSignal) => Promise<Model>,
  id: string,
): LlmClient {
  return takeIn(respectAbilities(next, describe), id);
}
