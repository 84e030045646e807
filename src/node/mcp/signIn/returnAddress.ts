import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AbortError } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError } from '../../../engine';

/** Takes the address a browser opened and returns a text for the user; undefined if nothing is waiting for it. */
export type TakeAddress = (address: string) => string | undefined;

/** The redirect address of one sign-in. */
export interface ReturnAddress {
  /** The address sent to the authorization server. */
  readonly url: string;
  /** The path of the addresses passed to `take`. */
  readonly path: string;
  /** Starts listening; call only once. Nothing is reported after `close`. */
  listen(take: TakeAddress): void;
  close(): Promise<void>;
}

/** The application Cairn runs in, if browsers can open addresses in it. */
export interface EditorAddress {
  /**
   * Returns the application's address; undefined if a loopback address works better. With `registered`, returns that address;
   * undefined if it does not lead to Cairn.
   */
  open(registered?: string): Promise<ReturnAddress | undefined>;
  /** Called with the reason, as a sentence, if the address was not used after all. */
  onRefused(why: string): void;
}

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

/** Time for the user to sign in. */
const SIGN_IN_MS = 10 * 60_000;
/** Twice the longest address that servers send. */
const MAX_ADDRESS = 8192;

/** What the authorization server passes to the redirect address. */
interface SentBack {
  code: string;
  /** The authorization server, if it identifies itself. */
  iss: string | undefined;
}

/**
 * Waits for the user to return from one sign-in. Anyone can open the redirect address, including a web page, so only a request
 * with the right state is accepted, and only once.
 */
export class AwaitedReturn {
  private isOver = false;

  constructor(
    private readonly address: ReturnAddress,
    private readonly state: string,
    /** The expected sender; undefined if unknown. */
    private readonly issuer: string | undefined,
  ) {}

  /**
   * Resolves with the authorization code; `typed` is an address the user pasted. Rejects with EngineError `denied` if the user or
   * the authorization server refused or a different server answered, `io` on a timeout, and with AbortError.
   */
  wait(signal: AbortSignal, typed: Promise<string | undefined>): Promise<SentBack> {
    return new Promise((resolve, reject) => {
      const inTime = AbortSignal.timeout(SIGN_IN_MS);
      const take = (address: string | undefined): string | undefined => {
        const came = address === undefined ? undefined : this.read(address);
        if (came === undefined) return undefined;
        if (came instanceof EngineError) reject(came);
        else resolve(came);
        return came instanceof EngineError ? came.message : 'You are signed in. You can close this page.';
      };
      this.address.listen(take);
      void typed.then(take, () => undefined);
      signal.addEventListener('abort', () => reject(new AbortError()), { once: true });
      inTime.addEventListener('abort', () => reject(new EngineError('io', 'The sign-in timed out. Try again.')), {
        once: true,
      });
      if (signal.aborted) reject(new AbortError());
    });
  }

  /** Parses an address; undefined if it does not belong to this sign-in. */
  private read(address: string): SentBack | EngineError | undefined {
    if (this.isOver || address.length > MAX_ADDRESS || !URL.canParse(address, 'http://127.0.0.1')) return undefined;
    const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
    const names = ['state', 'code', 'error', 'iss'] as const;
    // With a duplicate parameter, one value could be checked and the other used.
    if (pathname !== this.address.path || names.some((name) => searchParams.getAll(name).length > 1)) return undefined;
    const [state, code, refused, iss] = names.map((name) => searchParams.get(name) ?? undefined);
    if (state === undefined || !isSame(state, this.state)) return undefined;
    if (code === undefined && refused === undefined) return undefined;
    this.isOver = true;
    // RFC 9207: prevents one server from receiving another's response.
    if (iss !== undefined && this.issuer !== undefined && iss !== this.issuer) {
      const who = safeLine(iss, 200);
      return new EngineError('denied', `The sign-in was answered by ${who} instead of ${this.issuer}. Try again.`);
    }
    if (code !== undefined && refused === undefined) return { code, iss };
    const why = safeLine(searchParams.get('error_description') ?? refused ?? '', 300);
    return new EngineError('denied', `The sign-in was refused: ${why}.`);
  }
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
