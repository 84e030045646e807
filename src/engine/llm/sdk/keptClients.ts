import type { Fetch } from '../../ports';
import { memoizeByObject } from '../../../base/memoizeByObject';
import { processFetch } from '../processFetch';
import { sdkFetch } from './sdkFetch';

const MOST = 8;

export interface ClientAddress {
  baseUrl: string;
  /** Empty if no key is sent. */
  apiKey: string;
  /** Default: the process's `fetch`. */
  fetch?: Fetch | undefined;
}

/** The settings an SDK client is created with. */
export interface ClientSettings {
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
