import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';

/** The official MCP server that has one of everything. */
export const EVERYTHING = join(repoRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** Runs the server on that port during `use`. */
export async function everythingAt(
  kind: 'streamableHttp' | 'sse',
  port: number,
  use: () => Promise<unknown>,
): Promise<void> {
  const child = spawn(process.execPath, [EVERYTHING, kind], { env: { ...process.env, PORT: String(port) } });
  try {
    await new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes(String(port))) resolve();
        });
      }
    });
    await use();
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** Below the ports that systems give away on their own, so that nothing else gets one between two servers of a test. */
const PORTS = { from: 20_000, count: 10_000 };

/** Returns a port on which nothing listens, and which no one gets who does not ask for it by number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + randomInt(PORTS.count);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
