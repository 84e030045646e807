import type { Fetch } from '../../ports';
import type { LlmRequest } from '../llmClient';
import type { Model } from '../model';
import type { IdleLimit } from './watchIdle';

/** The target of an SDK's requests: one model at one address, with the user's key. */
export interface SdkTarget {
  /** The provider's name in messages, such as "OpenAI". */
  label: string;
  /** In the form the SDK expects. May contain credentials, so it must never be shown unmasked. */
  baseUrl: string;
  model: Model;
  /** The environment variable that may contain the key, for messages. */
  keyVariable: string;
  /** False if requests may be sent without a key. */
  needsKey: boolean;
  apiKey(): Promise<string | undefined>;
  /** Absent: a stream may be silent indefinitely. */
  idle?: IdleLimit | undefined;
  /** Default: the process's `fetch`. */
  fetch?: Fetch | undefined;
  /** See EngineParts. */
  proxySignIn?: ((target: URL) => string | undefined) | undefined;
}

/** Returns the sampling parameters, which have the same names in all three protocols. Omits those left to the model's default. */
export function samplingParams({ temperature, topP }: LlmRequest): { temperature?: number; top_p?: number } {
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { top_p: topP }) };
}

/**
 * Limits how long an SDK waits for a response to begin, on each try. The user's own server may first have to load its model and
 * process a whole conversation, so it gets the SDK's default.
 */
export function openingLimit({ idle, needsKey }: SdkTarget): { timeout?: number } {
  return idle && needsKey ? { timeout: idle.seconds() * 1000 } : {};
}
