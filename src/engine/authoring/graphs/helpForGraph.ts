import type { AgentLoaderPorts } from '../../agents/agentLoader';
import type { ContentPlace, ContentPlaces } from '../../content/contentRoots';
import { filesBelow } from '../../content/filesBelow';
import { EngineError } from '../../engineError';
import { languageOf } from '../../scripts/scriptDescription';
import { AGENT_SCRIPTS } from '../../scripts/scriptPlaces';
import type { HelpNames } from '../contentHelp';
import { GraphHelp } from './graphHelp';
import { serversFor } from './graphWorldAt';

/** Depth to which an agent's folder is searched for scripts. */
const LEVELS = 3;

/** Dependencies of the help for a graph. */
export interface GraphHelpParts {
  readonly places: () => ContentPlaces;
  readonly ports: AgentLoaderPorts;
  readonly names: HelpNames;
}

/** Returns the help for a graph, including the scripts in its folder and the available MCP servers. */
export function helpForGraph(place: ContentPlace, text: string, { names, places, ports }: GraphHelpParts): GraphHelp {
  const { files, paths } = ports;
  const folder = paths.dirname(place.path);
  const { within } = place.root;
  return new GraphHelp(text, names, {
    async scripts() {
      const found = await filesBelow(folder, files, paths, { levels: LEVELS, within }).catch(noFiles);
      const own = found.filter((path) => languageOf(path) !== undefined).map((path) => paths.relative(folder, path));
      return own.filter((path) => !AGENT_SCRIPTS.includes(path));
    },
    async servers() {
      return (await serversFor({ within, folder }, places(), ports)) ?? [];
    },
  });
}

function noFiles(error: unknown): string[] {
  if (EngineError.is(error)) return [];
  throw error;
}
