const MOST = 8;

/** The clients of an SDK, one for each address and key, because making one costs more than a request. The newest few are kept. */
export class KeptClients<Client> {
  private readonly clients = new Map<string, Client>();

  constructor(private readonly make: (address: ClientAddress) => Client) {}

  of(address: ClientAddress): Client {
    const id = JSON.stringify([address.baseUrl, address.apiKey]);
    const client = this.clients.get(id) ?? this.make(address);
    this.clients.delete(id);
    this.clients.set(id, client);
    const oldest = this.clients.keys().next();
    if (this.clients.size > MOST && !oldest.done) this.clients.delete(oldest.value);
    return client;
  }
}

export interface ClientAddress {
  baseUrl: string;
  /** Empty when none is sent. */
  apiKey: string;
}
