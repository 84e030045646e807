import type { Fetch } from '../../ports';
import type { LlmRequest } from '../llmClient';
import type { Model } from '../model';
import type { IdleLimit } from './watchIdle';

/** Whom an SDK asks: one model at one address, with the person's key. */
export interface SdkTarget {
  /** The provider's name in sentences: "OpenAI". */
  label: string;
  /** As the SDK wants it; may hold credentials, so it is never shown as it is. */
  baseUrl: string;
  model: Model;
  /** The environment variable that may hold the key; for sentences. */
  keyVariable: string;
  /** False where a request may go out without a key. */
  needsKey: boolean;
  apiKey(): Promise<string | undefined>;
  /** Absent: a stream may say nothing for as long as it likes. */
  idle?: IdleLimit | undefined;
  /** Default: that of the process. */
  fetch?: Fetch | undefined;
  /** See EngineParts. */
  proxySignIn?: ((target: URL) => string | undefined) | undefined;
}

/** How all three protocols call what steers the choice of words; nothing where the model's own is meant. */
export function samplingParams({ temperature, topP }: LlmRequest): { temperature?: number; top_p?: number } {
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { top_p: topP }) };
}

/**
 * How long an SDK waits for an answer to begin, each time that it asks. A server of the person's own may first have to load its
 * model and read all of a conversation, so it has as long as the SDK gives it.
 */
export function openingLimit({ idle, needsKey }: SdkTarget): { timeout?: number } {
  return idle && needsKey ? { timeout: idle.seconds() * 1000 } : {};
}
