import type { OpenAI } from 'openai/client';
import { memoizeByObject } from '../../../base/memoizeByObject';
import type { Fetch } from '../../ports';
import { processFetch } from '../providers/askServer';
import { sdkFetch } from './sdkFetch';

const MOST = 8;

interface ClientAddress {
  baseUrl: string;
  /** Empty if no key is sent. */
  apiKey: string;
  /** Default: the process's `fetch`. */
  fetch?: Fetch | undefined;
}

/** The settings an SDK client is created with. */
interface ClientSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: Fetch;
}

/** Caches an SDK's clients by address, key, and `fetch`, because creating one costs more than a request. Keeps the most recently used. */
export class KeptClients<Client> {
  private readonly clientsOf = memoizeByObject((fetch: Fetch) => ({
    fetch: sdkFetch(fetch),
    clients: new Map<string, Client>(),
  }));

  constructor(private readonly make: (settings: ClientSettings) => Client) {}

  of({ baseUrl, apiKey, fetch = processFetch }: ClientAddress): Client {
    const { clients, fetch: asked } = this.clientsOf(fetch);
    const id = JSON.stringify([baseUrl, apiKey]);
    const client = clients.get(id) ?? this.make({ baseUrl, apiKey, fetch: asked });
    clients.delete(id);
    clients.set(id, client);
    const oldest = clients.keys().next();
    if (clients.size > MOST && !oldest.done) clients.delete(oldest.value);
    return client;
  }
}

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
      // `retryBrokenStream` retries, where the user can see and stop it.
      maxRetries: 0,
      fetch,
      logLevel: 'off',
      ...(apiKey === '' && { defaultHeaders: { Authorization: null } }),
    });
  });
  return kept.of(address);
}
