import { readFile, rm } from 'node:fs/promises';
import type { BridgeContext } from './bridgeContext';

/**
 * The test's end of the bridge into the extension host of one window. `call` sends a function as source text, so the function
 * cannot access the test's variables: pass what it needs as the argument. Argument and result travel as JSON.
 */
export class BridgeClient {
  constructor(
    private readonly portFile: string,
    private readonly extensionId: string,
  ) {}

  async call<Result, Argument = undefined>(
    run: (context: BridgeContext, argument: Argument) => Result | PromiseLike<Result>,
    argument?: Argument,
    timeoutMs = 60_000,
  ): Promise<Result> {
    const body = JSON.stringify({ code: String(run), extensionId: this.extensionId, argument });
    const response = await fetch(`http://127.0.0.1:${await this.port()}`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const reply: unknown = await response.json();
    if (!isReply<Result>(reply)) throw new Error(`Not an answer of the bridge: ${JSON.stringify(reply)}`);
    if (reply.error !== undefined) throw new Error(`In the extension host: ${reply.error}`);
    return reply.value;
  }

  /** Forgets the port: the window's next extension host writes its own. */
  async forget(): Promise<void> {
    await rm(this.portFile, { force: true });
  }

  private async port(): Promise<string> {
    try {
      return await readFile(this.portFile, 'utf8');
    } catch {
      throw new Error('The extension host of this window has not started yet, or is gone.');
    }
  }
}

interface Reply<Result> {
  readonly value: Result;
  readonly error?: string;
}

function isReply<Result>(value: unknown): value is Reply<Result> {
  return typeof value === 'object' && value !== null;
}
