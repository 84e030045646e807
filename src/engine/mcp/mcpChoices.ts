import * as z from '../../base/zod';
import { ConsentFile } from '../permissions/consentFile';
import type { FileSystem, PathStyle } from '../ports';
import { type McpServer, type Offer, OFFERS, startIdentity, startText } from './mcpServer';
import { CONSENTS_FILE } from './serverPlaces';

const consentsSchema = z.lazy(() => {
  const consent = z.strictObject({
    /** Absolute path of the file that defines the server. */
    file: z.string(),
    id: z.string(),
    /** The complete launch, as written. */
    identity: z.string(),
    /** The same, in readable form. */
    launch: z.string(),
    allowed: z.boolean(),
  });
  return z.strictObject({ servers: z.array(consent) });
});
type Consent = z.infer<typeof consentsSchema>['servers'][number];

/** The user's decision about a server. `changed`: they allowed an earlier launch, given in `before`. */
export type ConsentState = { kind: 'allowed' | 'denied' | 'unasked' } | { kind: 'changed'; before: string };

/**
 * Records which servers from other people's files may be started: only the exact launch that the user allowed. Stored in the
 * user's own folder, so that no repository can allow itself anything.
 */
export class McpConsents {
  private readonly kept: ConsentFile<z.infer<typeof consentsSchema>>;

  constructor(configFolder: string, ports: { files: FileSystem; paths: PathStyle }) {
    const path = ports.paths.resolve(configFolder, CONSENTS_FILE);
    const until = 'Until then, no MCP server of a workspace is started.';
    this.kept = new ConsentFile(path, consentsSchema, { servers: [] }, until, ports);
  }

  /** Rejects with EngineError `damaged` if the file cannot be parsed. */
  async stateOf(server: McpServer): Promise<ConsentState> {
    if (server.scope === 'person') return { kind: 'allowed' };
    const consent = (await this.kept.read()).servers.find((one) => isOf(one, server));
    if (!consent) return { kind: 'unasked' };
    if (consent.identity === identityOf(server)) return { kind: consent.allowed ? 'allowed' : 'denied' };
    return consent.allowed ? { kind: 'changed', before: consent.launch } : { kind: 'unasked' };
  }

  /** Returns the absolute paths of files with a server that the user allowed. Rejects as `stateOf` does. */
  async allowedFiles(): Promise<ReadonlySet<string>> {
    const { servers } = await this.kept.read();
    return new Set(servers.filter(({ allowed }) => allowed).map(({ file }) => file));
  }

  /** Records a decision for this launch only. Rejects as `stateOf` does, and with file system errors. */
  async remember(server: McpServer, allowed: boolean): Promise<void> {
    const { id, source } = server;
    const consent = { file: source.path, id, identity: identityOf(server), launch: startText(server), allowed };
    await this.kept.change(({ servers }) => ({
      servers: [...servers.filter((one) => !isOf(one, server)), consent],
    }));
  }
}

/** A server of another program has the same identity in every folder the user works in. */
function identityOf(server: McpServer): string {
  const { launch, scope, namesFolder } = server;
  const isAnywhere = scope === 'program' && launch.type === 'stdio' && !namesFolder;
  return startIdentity(isAnywhere ? { ...server, launch: { ...launch, cwd: '' } } : server);
}

const offersSchema = z.lazy(() => {
  const offer = z.enum(OFFERS);
  const chosen = z.strictObject({
    /** Absolute path of the file that defines the server. */
    file: z.string(),
    id: z.string(),
    offer: z.optional(offer),
    offerTools: z.optional(z.record(z.string(), offer)),
  });
  return z.strictObject({ servers: z.array(chosen) });
});
type Chosen = z.infer<typeof offersSchema>['servers'][number];

/** Records how the user wants the tools of servers from other people's files to be offered to models. Takes precedence over those files. */
export class McpOffers {
  private readonly kept: ConsentFile<z.infer<typeof offersSchema>>;

  constructor(configFolder: string, ports: { files: FileSystem; paths: PathStyle }) {
    const path = ports.paths.resolve(configFolder, 'mcp-offers.json');
    const until = 'Until then, tools of MCP servers are offered as their files say.';
    this.kept = new ConsentFile(path, offersSchema, { servers: [] }, until, ports);
  }

  /** Returns the servers with the user's choices applied. Rejects with EngineError `damaged` if the file cannot be parsed. */
  async applied(all: readonly McpServer[]): Promise<readonly McpServer[]> {
    const { servers } = await this.kept.read();
    if (servers.length === 0) return all;
    return all.map((server) => {
      const chosen = servers.find((one) => isOf(one, server));
      if (!chosen) return server;
      const { offer: whole = server.offer, offerTools = {} } = chosen;
      return { ...server, ...(whole && { offer: whole }), offerOf: { ...server.offerOf, ...offerTools } };
    });
  }

  /**
   * Sets the choice for one tool, or for all tools without their own; undefined restores what the server's file says. Rejects as
   * `applied` does.
   */
  async choose(server: McpServer, tool: string | undefined, wanted: Offer | undefined): Promise<void> {
    await this.kept.change(({ servers }) => {
      const { offer: before, offerTools = {} } = servers.find((one) => isOf(one, server)) ?? {};
      const others = Object.entries(offerTools).filter(([name]) => name !== tool);
      const tools = Object.fromEntries(tool !== undefined && wanted ? [...others, [tool, wanted]] : others);
      const whole = tool === undefined ? wanted : before;
      const chosen: Chosen = {
        file: server.source.path,
        id: server.id,
        ...(whole && { offer: whole }),
        offerTools: tools,
      };
      const isNothing = whole === undefined && Object.keys(tools).length === 0;
      return { servers: [...servers.filter((one) => !isOf(one, server)), ...(isNothing ? [] : [chosen])] };
    });
  }
}

function isOf({ file, id }: Pick<Consent, 'file' | 'id'>, server: McpServer): boolean {
  return file === server.source.path && id === server.id;
}
