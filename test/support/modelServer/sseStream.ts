import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Writes server-sent events as the vendors do. */
export class SseStream {
  constructor(private readonly response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.flushHeaders();
  }

  /** A string goes out as it is. */
  send(data: unknown, event?: string): void {
    const head = event === undefined ? '' : `event: ${event}\n`;
    this.response.write(`${head}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.response.end();
  }

  /** What was sent arrives first; then the connection breaks. */
  async cut(): Promise<void> {
    // The pieces must leave before the reset, or the client never sees them.
    await sleep(20);
    this.response.socket?.destroy();
  }
}
