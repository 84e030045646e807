import { createHash, timingSafeEqual } from 'node:crypto';
import { AbortError } from '../../../base/abort';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError } from '../../../engine';
import type { ReturnAddress } from './returnAddress';

/** Time for the user to sign in. */
const SIGN_IN_MS = 10 * 60_000;
/** Twice the longest address that servers send. */
const MAX_ADDRESS = 8192;

/** What the authorization server passes to the redirect address. */
export interface SentBack {
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
