import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Writes server-sent events like the vendors. */
export class SseStream {
  constructor(private readonly response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.flushHeaders();
  }

  /** A string is sent as is. */
  send(data: unknown, event?: string): void {
    const head = event === undefined ? '' : `event: ${event}\n`;
    this.response.write(`${head}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.response.end();
  }

  /** Lets sent data arrive, then breaks the connection. */
  async cut(): Promise<void> {
    // The data must be sent before the reset, or the client never sees it.
    await sleep(20);
    this.response.socket?.destroy();
  }
}
