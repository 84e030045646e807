import type { Client, Progress, Transport } from '@modelcontextprotocol/client';
import { version } from '../../../package.json';
import * as z from '../../base/zod';
import { AbortError, isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import {
  EngineError,
  type Fetch,
  type McpConnector,
  type McpConnectOptions,
  type McpLaunch,
  type McpLink,
} from '../../engine';
import type * as mcpLibrary from './mcpLibrary';
import { ServerProcess } from './serverProcess';

export interface McpConnectorOptions {
  /** What servers get of it is what commands get. */
  env: NodeJS.ProcessEnv;
  /** For servers that are reached by an address. */
  fetch: Fetch;
}

/** How long a server is given to say that it heard the end. */
const GOODBYE_MS = 2000;

type Library = typeof mcpLibrary;

/** Servers as processes of this machine and behind addresses, by the client of the protocol's makers. */
export function nodeMcpConnector(options: McpConnectorOptions): McpConnector {
  return {
    async connect(launch, connecting, signal) {
      const library = await import('./mcpLibrary');
      return connect(launch, { ...options, ...connecting, library, signal });
    },
  };
}

interface Connecting extends McpConnectorOptions, McpConnectOptions {
  library: Library;
  signal: AbortSignal;
}

async function connect(launch: McpLaunch, parts: Connecting): Promise<McpLink> {
  const { library, signal, timeoutMs } = parts;
  const transport = transportOf(launch, parts);
  const client = clientOf(launch, parts);
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    if (signal.aborted) throw new AbortError();
    throw failure(error, transport, library);
  }
  return new ClientLink(client, transport, parts);
}

function transportOf(launch: McpLaunch, { env, fetch, library }: Connecting): Transport {
  if (launch.type === 'stdio') return new ServerProcess(launch, env, library);
  const url = new URL(launch.url);
  const options = { fetch, requestInit: { headers: launch.headers } };
  return launch.type === 'http'
    ? new library.StreamableHTTPClientTransport(url, options)
    : new library.SSEClientTransport(url, options);
}

/**
 * What is started speaks the older protocol, as nearly all do: to ask which it is would start it twice. What has an address is
 * asked, but for the transport that only the older protocol has.
 */
function clientOf({ type }: McpLaunch, parts: Connecting): Client {
  return new parts.library.Client(
    { name: 'cairn', version },
    {
      versionNegotiation: { mode: type === 'http' ? 'auto' : 'legacy' },
      listChanged: { tools: { autoRefresh: false, onChanged: () => parts.onToolsChanged() } },
    },
  );
}

class ClientLink implements McpLink {
  readonly abilities: ReadonlySet<string>;
  readonly instructions: string;
  private isClosed = false;

  constructor(
    private readonly client: Client,
    private readonly transport: Transport,
    private readonly parts: Connecting,
  ) {
    this.abilities = new Set(Object.keys(client.getServerCapabilities() ?? {}));
    this.instructions = client.getInstructions() ?? '';
    client.onclose = () => {
      if (this.isClosed) return;
      this.isClosed = true;
      parts.onEnd({ why: storyOf(transport) });
    };
  }

  listTools(cursor: string | undefined, signal: AbortSignal): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    // Not by the method of the library, which takes a list with one malformed tool for none.
    return this.asked(() => this.client.request({ method: 'tools/list', params }, z.unknown(), { signal }), signal);
  }

  callTool(...[name, input, options]: Parameters<McpLink['callTool']>): Promise<unknown> {
    const { signal, timeoutMs } = options;
    const onprogress = ({ message, progress, total }: Progress) =>
      options.onProgress(message ?? (total === undefined ? String(progress) : `${progress} of ${total}`));
    return this.asked(
      () =>
        this.client.callTool(
          { name, arguments: { ...input } },
          { signal, onprogress, maxTotalTimeout: timeoutMs, timeout: timeoutMs },
        ),
      signal,
    );
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.transport instanceof this.parts.library.StreamableHTTPClientTransport) {
      const goodbye = this.transport.terminateSession().catch(() => undefined);
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
    }
    await this.client.close().catch(() => undefined);
  }

  private async asked(ask: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || isAbort(error)) throw new AbortError();
      throw failure(error, this.transport, this.parts.library);
    }
  }
}

function failure(error: unknown, transport: Transport, { SdkError, SdkErrorCode }: Library): EngineError {
  const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  const what = isLate ? 'It did not answer in time.' : sentence(errorText(error));
  const story = storyOf(transport);
  return new EngineError('io', [what, story].filter((one) => one !== '').join(' '), { cause: error });
}

function storyOf(transport: Transport): string {
  return transport instanceof ServerProcess ? transport.story : '';
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
