import { EngineError, type RemoteLaunch, type SignInPage } from '../../../src/engine';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { memorySignIns } from '../../support/memorySignIns';
import { ProtectedMcpServer } from '../../support/protectedMcpServer';

export const { signal } = new AbortController();
export const quiet = {
  timeoutMs: 30_000,
  secrets: [],
  onSaid: () => undefined,
  onEnd: () => undefined,
  onListsChanged: () => undefined,
};
export const calling = { signal, timeoutMs: 20_000, onProgress: () => undefined };

/** A browser in which the user signs in at once. Whoever listens at the final address receives it. */
export const browser: SignInPage = {
  async show(address) {
    await fetch(address);
    return undefined;
  },
};

interface World {
  server: ProtectedMcpServer;
  launch: RemoteLaunch;
  store: ReturnType<typeof memorySignIns>;
  connector: ReturnType<typeof nodeMcpConnector>;
}

export async function withServer(use: (world: World) => Promise<void>): Promise<void> {
  const server = await ProtectedMcpServer.start();
  const store = memorySignIns();
  const connector = nodeMcpConnector({ env: process.env, fetch, signIns: store });
  try {
    await use({ server, store, connector, launch: { type: 'http', url: server.url, headers: {} } });
  } finally {
    await server.stop();
  }
}

export const signedIn = (use: (world: World) => Promise<void>) =>
  withServer(async (world) => {
    await world.connector.signIn(world.launch, browser, signal);
    await use(world);
  });

export const denied = (message: RegExp) => (error: unknown) =>
  EngineError.is(error, 'denied') && message.test(error.message);
