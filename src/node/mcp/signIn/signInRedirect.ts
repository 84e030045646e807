import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AbortError } from '../../../base/abort';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError } from '../../../engine';

const PATH = '/signed-in';
/** For a person to sign in. */
const SIGN_IN_MS = 10 * 60_000;

/** What the authorization server sends a person back with. */
export interface SentBack {
  code: string;
  /** Who sends it, where it says so. */
  iss: string | undefined;
}

/**
 * Where a person's browser is sent once they have signed in: an address of this machine that nobody else reaches. Only what has
 * the state that was sent along is taken, once.
 */
export class SignInRedirect {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** At the port, when it is given and free, else at any that is. */
  static async listen(port: number | undefined): Promise<SignInRedirect> {
    const server = createServer();
    const actual = await listening(server, port ?? 0).catch(() => listening(server, 0));
    return new SignInRedirect(server, `http://127.0.0.1:${actual}${PATH}`);
  }

  /**
   * Resolves with what comes with that state; `typed` is an address that a person pasted. Rejects with EngineError `denied`
   * when the person or the authorization server refused, `io` when nobody came in time, and AbortError.
   */
  sentBack(state: string, signal: AbortSignal, typed: Promise<string | undefined>): Promise<SentBack> {
    return new Promise((resolve, reject) => {
      const inTime = AbortSignal.timeout(SIGN_IN_MS);
      const take = (address: string | undefined): string | undefined => {
        const came = address === undefined ? undefined : readAddress(address, state);
        if (came === undefined) return undefined;
        if (came instanceof EngineError) reject(came);
        else resolve(came);
        return came instanceof EngineError ? came.message : 'You are signed in. You can close this page.';
      };
      this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const said = request.method === 'GET' ? take(request.url) : undefined;
        answer(response, said === undefined ? 404 : 200, said ?? 'Nobody waits for this here.');
      });
      void typed.then(take, () => undefined);
      signal.addEventListener('abort', () => reject(new AbortError()), { once: true });
      inTime.addEventListener('abort', () => reject(new EngineError('io', 'Nobody signed in in time. Try again.')), {
        once: true,
      });
      if (signal.aborted) reject(new AbortError());
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** Undefined for what is not meant for us. */
function readAddress(address: string, state: string): SentBack | EngineError | undefined {
  const url = URL.canParse(address, 'http://127.0.0.1') ? new URL(address, 'http://127.0.0.1') : undefined;
  if (url?.pathname !== PATH || url.searchParams.get('state') !== state) return undefined;
  const refused = url.searchParams.get('error');
  if (refused !== null) {
    const why = safeLine(url.searchParams.get('error_description') ?? refused, 300);
    return new EngineError('denied', `The sign-in was refused: ${why}.`);
  }
  const code = url.searchParams.get('code');
  return code === null ? undefined : { code, iss: url.searchParams.get('iss') ?? undefined };
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
