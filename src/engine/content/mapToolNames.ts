import { nearest } from '../../base/nearest';
import { serverName } from '../mcp/serverName';
import { isToolName } from '../tools/tool';
import type { Meant } from './contentProblem';
import { OWN_TOOLS, type ToolNameTable } from './toolNames';

export interface MappedTools {
  /** Names and wildcards of our tools, and the names that an extension may bring. */
  tools: string[];
  /** One sentence for each name that Cairn itself has no tool for. */
  unmapped: { name: string; message: string; meant?: Meant }[];
}

export const COPILOT = 'GitHub Copilot';

/** Names of another world, or our own, to our tools. Case counts only where two names would differ by nothing else. */
export function mapToolNames(names: readonly string[], table: ToolNameTable, world: string): MappedTools {
  const tools = new Set<string>();
  const unmapped: MappedTools['unmapped'] = [];
  for (const name of names) {
    const known = entryOf(name, table);
    if (known) for (const tool of known) tools.add(tool);
    else unmapped.push({ name, ...whyNot(name, known, table, world) });
    // There all tools of a server or an extension go by its name.
    if (known === undefined && world === COPILOT && /^[A-Za-z][\w.-]*$/.test(name))
      tools.add(`mcp__${serverName(name)}__*`);
    // What was a script in Coyote may be one here.
    if ((known === undefined || (known === null && world === 'Coyote')) && isToolName(name)) tools.add(name);
  }
  return { tools: [...tools], unmapped };
}

function entryOf(name: string, table: ToolNameTable): readonly string[] | null | undefined {
  if (name === '*') return ['*'];
  if (OWN_TOOLS.includes(name) || /^(agent__|todo__|user__|skill__|fs_|command__)\*$/.test(name)) return [name];
  if (Object.hasOwn(table, name)) return table[name];
  const ofServer = toolOfServer(name);
  if (ofServer !== undefined) return [ofServer];
  const same = Object.keys(table).find((key) => key.toLowerCase() === name.toLowerCase());
  return same === undefined ? undefined : table[same];
}

/**
 * A tool of an MCP server, or all of them: ours, Claude Code's `mcp__server`, Coyote's `mcp:server`, Copilot's `server/tool`, where the
 * server may have a slash in its name too.
 */
function toolOfServer(name: string): string | undefined {
  if (/^mcp__(?:(?!__)[^*?])+$/.test(name)) return `${name}__*`;
  if (/^mcp_(_|\*$|search$|describe$|invoke$)/.test(name)) return name;
  const [, coyote] = /^mcp:([\w-]+)$/.exec(name) ?? [];
  // Of Copilot's sets in a file for another tool: `edit/editFiles` is no tool of a server.
  if (withoutToolSet(name) !== name) return undefined;
  if (coyote !== undefined) return `mcp__${serverName(coyote)}__*`;
  const [, server, tool] = /^([\w.-]+(?:\/[\w.-]+)*)\/([\w.*-]+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined
    ? undefined
    : `mcp__${serverName(server)}__${tool.replaceAll('.', '_')}`;
}

function whyNot(
  name: string,
  known: null | undefined,
  table: ToolNameTable,
  world: string,
): { message: string; meant?: Meant } {
  if (known === null) {
    const unless = world === 'Coyote' ? ' unless a script in a folder of tools has this name' : '';
    return { message: `Cairn has no equivalent of “${name}” from ${world}; the agent works without it${unless}.` };
  }
  const instead = nearest(name, [...Object.keys(table).filter((key) => table[key]), ...OWN_TOOLS]);
  if (world === COPILOT && instead === undefined && /^[A-Za-z][\w.-]*$/.test(name))
    return {
      message: `Cairn itself has no tool “${name}”; it takes effect when a server, a script, or an extension provides it.`,
    };
  const message = isToolName(name)
    ? `Cairn itself has no tool “${name}”; it takes effect when a script or an extension provides it.`
    : `There is no tool “${name}”. The agent works without it.`;
  if (instead === undefined) return { message };
  return { message: `${message} Did you mean “${instead}”?`, meant: { written: name, instead } };
}

/** `search/codebase` names a tool of a set of the editor's own; any other slash is a server's. */
export function withoutToolSet(name: string): string {
  return name.replace(SET, '');
}

const SET =
  /^(?:agent|edit|execute|new|read|runCommands|runNotebooks|runTasks|runTests|search|todo|vscode|web)\/(?=\w)/;
