import type { OpenAI } from 'openai/client';
import { type ClientAddress, KeptClients } from './keptClients';

let kept: KeptClients<OpenAI> | undefined;

/** Returns OpenAI's SDK client for an address. The SDK is loaded on the first request. */
export async function openaiSdk(address: ClientAddress): Promise<OpenAI> {
  if (kept) return kept.of(address);
  const { OpenAI: Client } = await import('./openaiLibrary');
  kept ??= new KeptClients(({ baseUrl, apiKey, fetch }) => {
    return new Client({
      apiKey: apiKey === '' ? 'none' : apiKey,
      // Keys and account IDs from the environment must never reach another host.
      adminAPIKey: null,
      ...(!baseUrl.startsWith('https://api.openai.com/') && { organization: null, project: null }),
      baseURL: baseUrl,
      maxRetries: 2,
      fetch,
      logLevel: 'off',
      ...(apiKey === '' && { defaultHeaders: { Authorization: null } }),
    });
  });
  return kept.of(address);
}
