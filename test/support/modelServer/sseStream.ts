import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Turns of the event loop after which a client in this process has read what was sent: it reads in one, and passes it on in others. */
const TURNS = 10;

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
    const { socket } = this.response;
    // The data must be sent and read before the end, or the client never sees it.
    await new Promise((resolve) => (socket?.writable ? socket.write('', resolve) : resolve(undefined)));
    // For a client in another process, of which nothing is known here.
    await sleep(20);
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    socket?.destroy();
  }
}
