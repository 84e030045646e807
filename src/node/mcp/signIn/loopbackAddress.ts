import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorText } from '../../../base/errorText';
import { EngineError } from '../../../engine';
import type { ReturnAddress, TakeAddress } from './returnAddress';

const PATH = '/signed-in';

/** A redirect address that only this machine can reach. */
export class LoopbackAddress implements ReturnAddress {
  private constructor(
    private readonly server: Server,
    readonly url: string,
    readonly path: string,
  ) {}

  /** Listens on `port` if it is given and free, otherwise on any free port. */
  static async open(port: number | undefined): Promise<LoopbackAddress> {
    const server = createServer();
    const actual = await listening(server, port ?? 0).catch(() => listening(server, 0));
    return new LoopbackAddress(server, `http://127.0.0.1:${actual}${PATH}`, PATH);
  }

  /** Listens on exactly the registered address. Rejects with EngineError `io` if another program uses its port. */
  static async at(registered: string): Promise<LoopbackAddress> {
    const { host, port, pathname } = new URL(registered);
    const server = createServer();
    await listening(server, Number(port || 80)).catch((error: unknown) => {
      const remedy = 'Stop the program that uses the port, then try again.';
      throw new EngineError('io', `Cairn cannot listen at ${host}: ${errorText(error)}. ${remedy}`, { cause: error });
    });
    return new LoopbackAddress(server, registered, pathname);
  }

  /** Returns the port of an address created by `open`; undefined for any other. */
  static portOf(text: string): number | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.hostname === '127.0.0.1' && url.pathname === PATH ? Number(url.port) : undefined;
  }

  listen(take: TakeAddress): void {
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const said = request.method === 'GET' && request.url !== undefined ? take(request.url) : undefined;
      answer(response, said === undefined ? 404 : 200, said ?? 'No sign-in is waiting for this.');
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${text}\n`);
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
