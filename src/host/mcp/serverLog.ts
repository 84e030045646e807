import * as vscode from 'vscode';
import { safeLine, safeText } from '../../base/shown/safeText';
import type { KnownServer, LogLine, McpServers } from '../../engine';

/** Keyed by the servers they belong to, so that they end together. */
const shown = new WeakMap<McpServers, Map<string, vscode.OutputChannel>>();

/** Shows a server's activity, output, and messages in a separate output channel, which keeps updating. */
export async function showServerLog(servers: McpServers, server: KnownServer): Promise<void> {
  const channels = shown.get(servers) ?? new Map<string, vscode.OutputChannel>();
  shown.set(servers, channels);
  const name = `Cairn: ${safeLine(server.id, 60, 'exact')} (${server.source.path})`;
  const known = channels.get(name);
  if (known) {
    known.show(true);
    return;
  }
  const channel = vscode.window.createOutputChannel(name);
  channels.set(name, channel);
  const end = () => {
    channels.delete(name);
    channel.dispose();
  };
  await servers.followLog(server, { onLine: (line) => channel.appendLine(lineText(line)), onEnd: end });
  channel.show(true);
}

const FROM = { cairn: 'Cairn', stderr: 'error output', server: 'server' } as const;

function lineText({ time, from, text }: LogLine): string {
  return `${new Date(time).toLocaleTimeString()} [${FROM[from]}] ${safeText(text)}`;
}
