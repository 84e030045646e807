import type { SdkTarget } from './sdkTarget';

/**
 * How long an SDK waits for an answer to begin, each time that it asks. A server of the person's own may first have to load its
 * model and read all of a conversation, so it has as long as the SDK gives it.
 */
export function openingLimit({ idle, needsKey }: SdkTarget): { timeout?: number } {
  return idle && needsKey ? { timeout: idle.seconds() * 1000 } : {};
}
