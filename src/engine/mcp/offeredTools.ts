import type { AnyTool } from '../tools/tool';
import type { McpServer, Offer } from './mcpServer';
import type { McpResource } from './resources/resourceList';
import { readingOf, type ReadResource, resourceTools } from './resources/resourceTools';
import { notAsked, type Searchable, searchTools } from './searchTools';
import { agentTool, type CallServer, type ServerTool, serverTools } from './serverTools';
import type { Clock } from '../ports';
import { inTime } from './running/inTime';
import type { Manifest } from './running/keptByLaunch';

/** The dependencies of the agents' tools. */
export interface OfferParts {
  manifestOf: (server: McpServer) => Manifest | undefined;
  /** Asks a server what it offers. */
  check: (server: McpServer, signal: AbortSignal) => Promise<unknown>;
  call: CallServer;
  read: ReadResource;
  clock: Clock;
}

/** Whether an agent may use a tool of a server, or, without a tool name, any of them. */
export type WantsServer = (server: McpServer, tool?: string) => boolean;

/** A server that may be started. */
type Allowed = McpServer & { readonly resources: readonly McpResource[] };

/**
 * The size, in tokens at four characters each, up to which a server's tools are included in every request, unless the user chose
 * otherwise. It also limits all such servers together; beyond it, tools are found by search.
 */
const TOLD_TOKENS = 500;

/** A server that downloads what it runs may take longer; the model is then told to search again. */
const LEARN_MS = 20_000;

/** Returns the tools that an agent gets from these servers. Starts nothing. */
export function offeredTools(servers: readonly Allowed[], wants: WantsServer, parts: OfferParts): AnyTool[] {
  const told: ServerTool[] = [];
  const searched: McpServer[] = [];
  const all = servers.map((server) => ({ server, tools: wantedTools(server, wants, parts) }));
  const offerOf = offersOf(all.flatMap(({ tools = [] }) => tools));
  for (const { server, tools } of all) {
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

/**
 * Returns how each of these tools is offered to models: as the user chose, or by the total size of its server's tools and of the
 * small servers in `beside` together.
 */
export function offersOf(
  tools: readonly ServerTool[],
  beside: readonly ServerTool[] = tools,
): (one: ServerTool) => Offer {
  const sizes = sizesOf(tools);
  const few = [...(beside === tools ? sizes : sizesOf(beside)).values()].filter((size) => size <= TOLD_TOKENS);
  const areMany = few.reduce((sum, size) => sum + size, 0) > TOLD_TOKENS;
  const usual = ({ server }: ServerTool) =>
    areMany || (sizes.get(server.id) ?? 0) > TOLD_TOKENS ? 'search' : 'always';
  return (one) => chosenOffer(one) ?? usual(one);
}

/** Returns tokens by server ID, for servers without a choice by the user. */
function sizesOf(tools: readonly ServerTool[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { server, tool } of tools) {
    if (server.offer === undefined) sizes.set(server.id, (sizes.get(server.id) ?? 0) + sizeOf(tool) / 4);
  }
  return sizes;
}

/** Number of characters that a tool adds to each request. */
function sizeOf({ description, parameters }: ServerTool['tool']): number {
  return description.length + JSON.stringify(parameters).length;
}

function chosenOffer({ server, tool }: ServerTool): Offer | undefined {
  return (Object.hasOwn(server.offerOf, tool.name) ? server.offerOf[tool.name] : undefined) ?? server.offer;
}

/** Undefined if they are not known. */
function wantedTools(server: McpServer, wants: WantsServer, { manifestOf }: OfferParts): ServerTool[] | undefined {
  const manifest = manifestOf(server);
  return manifest && serverTools(server, manifest.tools).filter(({ name }) => wants(server, name));
}

function searchable(servers: readonly McpServer[], wants: WantsServer, parts: OfferParts): Searchable {
  return {
    servers: servers.map(({ id }) => id),
    aliases: servers.flatMap(({ aliases = [] }) => aliases),
    tools: () =>
      servers.flatMap((server) =>
        (wantedTools(server, wants, parts) ?? []).filter((one) => chosenOffer(one) !== 'off'),
      ),
    adviceOf: (id) => {
      const server = servers.find((one) => one.id === id);
      return (server && parts.manifestOf(server)?.instructions) ?? '';
    },
    learn: async (id, signal) => {
      const unknown = servers.filter((one) => (id === undefined || one.id === id) && !parts.manifestOf(one));
      const told = await Promise.all(
        unknown.map((server) =>
          inTime(parts.clock, LEARN_MS, signal, (until) => parts.check(server, until)).then(
            () => [],
            (error: unknown) => [notAsked(server.id, error, signal)],
          ),
        ),
      );
      return told.flat();
    },
  };
}
