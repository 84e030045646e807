import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages';

/** Creates only the Messages resource of the SDK, a third of its size. Loaded on the first request. */
export function anthropicSdk(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options));
}
