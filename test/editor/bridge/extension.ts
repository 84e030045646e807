import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { runInThisContext } from 'node:vm';
import * as vscode from 'vscode';
import type { BridgeContext } from './bridgeContext';

/**
 * A helper extension that is only installed in test editors: runs functions that a test sends it in the extension host, so that
 * the product needs no test hooks. Writes its port to the file that CAIRN_BRIDGE_FILE names and does nothing without that
 * variable.
 */
export function activate(context: vscode.ExtensionContext): void {
  const file = process.env['CAIRN_BRIDGE_FILE'];
  if (!file) return;
  const server = createServer((request, response) => {
    // On a busy machine, a kept connection may be closed here just as the next call uses it.
    response.setHeader('connection', 'close');
    void answer(request).then((body) => response.end(body));
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') writeFileSync(file, String(address.port));
  });
  context.subscriptions.push({
    dispose: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

async function answer(request: IncomingMessage): Promise<string> {
  try {
    let body = '';
    for await (const part of request) body += String(part);
    return JSON.stringify({ value: await run(JSON.parse(body)) });
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function run(request: unknown): Promise<unknown> {
  if (!isCall(request)) throw new Error('The bridge takes {code, extensionId, argument}.');
  const called: unknown = runInThisContext(`(${request.code})`);
  if (typeof called !== 'function') throw new Error(`The bridge was not sent a function: ${request.code}`);
  const context: BridgeContext = { vscode, require, extension: vscode.extensions.getExtension(request.extensionId) };
  const result: unknown = await Reflect.apply(called, undefined, [context, request.argument]);
  return result;
}

interface Call {
  readonly code: string;
  readonly extensionId: string;
  readonly argument?: unknown;
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'code' in value && 'extensionId' in value;
}
