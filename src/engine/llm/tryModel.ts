import { userMessage } from '../messages/message';
import type { LlmFailure } from './llmClient';
import type { ResolvedModel } from './providerRegistry';

/** Sends the model a minimal request and stops at its first event. Returns why it did not answer, or undefined if it did. */
export async function tryModel(
  { client }: Pick<ResolvedModel, 'client'>,
  signal: AbortSignal,
): Promise<LlmFailure | undefined> {
  const leaving = new AbortController();
  const limit = AbortSignal.any([signal, leaving.signal]);
  const question = { system: '', messages: [userMessage('Say OK.', 0, false)], tools: [] };
  try {
    for await (const event of client.stream(question, limit)) {
      if (event.type === 'failed') return event.failure;
      if (event.type !== 'notice') return undefined;
    }
    return undefined;
  } finally {
    leaving.abort();
  }
}
