import type { AnyTool } from '../tools/tool';
import type { McpServer, Offer } from './mcpServer';
import type { McpResource } from './resources/resourceList';
import { readingOf, type ReadResource, resourceTools } from './resources/resourceTools';
import { notAsked, type Searchable, searchTools } from './searchTools';
import { agentTool, type CallServer, type ServerTool, serverTools } from './serverTools';
import type { Manifest } from './running/manifests';

/** What the tools of agents work with. */
export interface OfferParts {
  manifestOf: (server: McpServer) => Manifest | undefined;
  /** Has a server tell what it has. */
  check: (server: McpServer, signal: AbortSignal) => Promise<unknown>;
  call: CallServer;
  read: ReadResource;
}

/** Whether an agent may use a tool of a server, or, where no tool is named, any of it. */
export type WantsServer = (server: McpServer, tool?: string) => boolean;

/** A server that may be started. */
type Allowed = McpServer & { readonly resources: readonly McpResource[] };

/**
 * Tools of a server that need more are found instead of told, unless somebody chose; and those of all such servers when they need
 * more together, as each request carries them. In tokens, by four characters each.
 */
const TOLD_TOKENS = 500;

/** The tools that an agent is given of these servers; nothing is started for it. */
export function offeredTools(servers: readonly Allowed[], wants: WantsServer, parts: OfferParts): AnyTool[] {
  const told: ServerTool[] = [];
  const searched: McpServer[] = [];
  const all = servers.map((server) => ({ server, tools: wantedTools(server, wants, parts) }));
  const areMany = needMuch(all.map(({ server, tools = [] }) => ({ server, tools })));
  for (const { server, tools } of all) {
    const offerOf = offersOf(server, tools ?? [], areMany);
    told.push(...(tools ?? []).filter((one) => offerOf(one) === 'always'));
    if (!tools || tools.some((one) => offerOf(one) === 'search')) searched.push(server);
  }
  const readables = servers
    .filter((one) => one.resources.length > 0 && wants(one, readingOf(one)))
    .map((server) => ({ server, resources: server.resources }));
  return [
    ...told.map((one) => agentTool(one, parts.call)),
    ...(searched.length > 0 ? searchTools(searchable(searched, wants, parts), parts.call) : []),
    ...(readables.length > 0 ? resourceTools(readables, parts.read) : []),
  ];
}

/** How models hear of each tool of a server: where nobody chose, by the size of all; `areMany`: with others there is too much of them. */
export function offersOf(server: McpServer, tools: readonly ServerTool[], areMany = false): (one: ServerTool) => Offer {
  const usual = server.offer ?? (areMany || sizeOf(tools) > TOLD_TOKENS ? 'search' : 'always');
  return ({ tool }) => (Object.hasOwn(server.offerOf, tool.name) ? server.offerOf[tool.name] : undefined) ?? usual;
}

/** Whether the tools of servers that are few by themselves are too many together. */
export function needMuch(all: readonly { server: McpServer; tools: readonly ServerTool[] }[]): boolean {
  const sizes = all.filter(({ server }) => server.offer === undefined).map(({ tools }) => sizeOf(tools));
  return sizes.filter((size) => size <= TOLD_TOKENS).reduce((sum, size) => sum + size, 0) > TOLD_TOKENS;
}

function sizeOf(tools: readonly ServerTool[]): number {
  const sizes = tools.map(({ tool }) => tool.description.length + JSON.stringify(tool.parameters).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 4;
}

/** Undefined when they are not known. */
function wantedTools(server: McpServer, wants: WantsServer, { manifestOf }: OfferParts): ServerTool[] | undefined {
  const manifest = manifestOf(server);
  return manifest && serverTools(server, manifest.tools).filter(({ name }) => wants(server, name));
}

function searchable(servers: readonly McpServer[], wants: WantsServer, parts: OfferParts): Searchable {
  return {
    servers: servers.map(({ id }) => id),
    aliases: servers.flatMap(({ aliases = [] }) => aliases),
    tools: () =>
      servers.flatMap((server) => {
        const tools = wantedTools(server, wants, parts) ?? [];
        const offerOf = offersOf(server, tools);
        return tools.filter((one) => offerOf(one) !== 'off');
      }),
    adviceOf: (id) => {
      const server = servers.find((one) => one.id === id);
      return (server && parts.manifestOf(server)?.instructions) ?? '';
    },
    learn: async (id, signal) => {
      const unknown = servers.filter((one) => (id === undefined || one.id === id) && !parts.manifestOf(one));
      const told = await Promise.all(
        unknown.map((server) =>
          parts.check(server, signal).then(
            () => [],
            (error: unknown) => [notAsked(server.id, error)],
          ),
        ),
      );
      return told.flat();
    },
  };
}
