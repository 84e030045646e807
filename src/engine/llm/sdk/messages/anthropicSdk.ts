import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages';

/** The Messages resource of the SDK and nothing else of it: a third of the whole. Loaded with the first request. */
export function anthropicSdk(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options));
}
