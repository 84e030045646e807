import type { AnyTool } from '../tools/tool';
import type { McpServer, Offer } from './mcpServer';
import type { McpResource } from './resources/resourceList';
import { readingOf, type ReadResource, resourceTools } from './resources/resourceTools';
import { notAsked, type Searchable, searchTools } from './searchTools';
import { agentTool, type CallServer, type ServerTool, serverTools } from './serverTools';
import type { Clock } from '../ports';
import { inTime } from './running/inTime';
import type { Manifest } from './running/keptByLaunch';

/** What the tools of agents work with. */
export interface OfferParts {
  manifestOf: (server: McpServer) => Manifest | undefined;
  /** Has a server tell what it has. */
  check: (server: McpServer, signal: AbortSignal) => Promise<unknown>;
  call: CallServer;
  read: ReadResource;
  clock: Clock;
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

/** One that fetches what it runs before it starts may take longer; whoever looks for tools is told to look again. */
const LEARN_MS = 20_000;

/** The tools that an agent is given of these servers; nothing is started for it. */
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
 * How models hear of each of these tools: as somebody chose, else by the size of all of its server, and of all `beside` whose servers
 * have few by themselves.
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

/** In tokens, by the id of each server for which nobody chose. */
function sizesOf(tools: readonly ServerTool[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { server, tool } of tools) {
    if (server.offer === undefined) sizes.set(server.id, (sizes.get(server.id) ?? 0) + sizeOf(tool) / 4);
  }
  return sizes;
}

/** Characters of a tool in each request that tells of it. */
function sizeOf({ description, parameters }: ServerTool['tool']): number {
  return description.length + JSON.stringify(parameters).length;
}

function chosenOffer({ server, tool }: ServerTool): Offer | undefined {
  return (Object.hasOwn(server.offerOf, tool.name) ? server.offerOf[tool.name] : undefined) ?? server.offer;
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
