import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = portOf(server.address());
  server.close();
  await once(server, 'close');
  return port;
}

function portOf(address: AddressInfo | string | null): AddressInfo {
  assert.ok(typeof address === 'object' && address !== null);
  return address;
}
