import { nearest } from '../../base/matching';
import { serverName } from '../mcp/serverPlaces';
import { ON_REQUEST } from '../tools/onRequest/onRequest';
import { isToolName } from '../tools/tool';
import type { Meant } from './contentProblem';

/** Cairn's tools by the names that another tool has for them; null: a known tool without a counterpart in Cairn. */
export type ToolNameTable = Readonly<Record<string, readonly string[] | null>>;

export const READING = ['fs_read', 'fs_cat'];
export const EDITING = ['fs_edit', 'fs_patch', 'fs_write', 'fs_mkdir', 'fs_rm'];
export const SHELL = ['execute_command', 'command__list', 'command__output', 'command__stop'];
export const TODOS = ['todo__init', 'todo__add', 'todo__done', 'todo__list', 'todo__clear'];
export const PEOPLE = ['user__ask', 'user__confirm', 'user__input', 'user__checkbox'];
export const SKILLS = ['skill__list', 'skill__load', 'skill__unload'];

/** Keys of `permission` and `tools` in OpenCode. */
export const OPENCODE_TOOLS: ToolNameTable = {
  read: READING,
  list: ['fs_ls'],
  glob: ['fs_glob'],
  grep: ['fs_grep'],
  edit: EDITING,
  write: EDITING,
  patch: EDITING,
  multiedit: EDITING,
  bash: SHELL,
  shell: SHELL,
  webfetch: ['fetch_url'],
  websearch: ['web_search'],
  codesearch: null,
  todoread: ['todo__list'],
  todowrite: ['todo__init', 'todo__add', 'todo__done', 'todo__clear'],
  task: ['task'],
  subagent: ['task'],
  skill: SKILLS,
  question: PEOPLE,
  lsp: null,
  ls: ['fs_ls'],
  external_directory: null,
  doom_loop: null,
};

/** Names of Coyote's tool files without extensions. Names shared with Cairn need no entry. */
export const COYOTE_TOOLS: ToolNameTable = {
  fetch_url_via_curl: ['fetch_url'],
  fetch_url_via_jina: ['fetch_url'],
  web_search_coyote: ['web_search'],
  web_search_perplexity: ['web_search'],
  web_search_tavily: ['web_search'],
  execute_py_code: null,
  execute_sql_code: null,
  get_current_weather: null,
};

/** Every tool that Cairn has or will have under a fixed name; any other name in a file is unknown. */
export const OWN_TOOLS: readonly string[] = [
  ...READING,
  ...['fs_ls', 'fs_glob', 'fs_grep'],
  ...EDITING,
  ...SHELL,
  'fetch_url',
  ...ON_REQUEST.keys(),
  ...TODOS,
  ...PEOPLE,
  ...SKILLS,
  ...['agent__spawn', 'agent__check', 'agent__collect', 'agent__list', 'agent__list_available', 'agent__cancel'],
  ...['agent__task_create', 'agent__task_list', 'agent__task_complete', 'agent__task_fail'],
  ...['agent__send_message', 'agent__check_inbox', 'agent__reply_escalation', 'task'],
];

export interface MappedTools {
  /** Names and wildcards of Cairn's tools, and names that an extension may provide. */
  tools: string[];
  /** One sentence for each name that matches none of Cairn's own tools. */
  unmapped: { name: string; message: string; meant?: Meant }[];
}

export const COPILOT = 'GitHub Copilot';

/** Maps another tool's names, or Cairn's own, to Cairn's tools. Matching is case-insensitive, but an exact match takes precedence. */
export function mapToolNames(names: readonly string[], table: ToolNameTable, world: string): MappedTools {
  const tools = new Set<string>();
  const unmapped: MappedTools['unmapped'] = [];
  for (const name of names) {
    const known = entryOf(name, table);
    if (known) for (const tool of known) tools.add(tool);
    else unmapped.push({ name, ...whyNot(name, known, table, world) });
    // In Copilot, the name of a server or an extension covers all its tools.
    if (known === undefined && world === COPILOT && /^[A-Za-z][\w.-]*$/.test(name))
      tools.add(`mcp__${serverName(name)}__*`);
    // A script in Coyote may also be a script here.
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
 * Maps a tool of an MCP server, or all of its tools: Cairn's own notation, Claude Code's `mcp__server`, Coyote's `mcp:server`, or
 * Copilot's `server/tool`, where the server name may contain a slash.
 */
function toolOfServer(name: string): string | undefined {
  if (/^mcp__(?:(?!__)[^*?])+$/.test(name)) return `${name}__*`;
  if (/^mcp_(_|\*$|search$|describe$|invoke$)/.test(name)) return name;
  const [, coyote] = /^mcp:([\w-]+)$/.exec(name) ?? [];
  // Copilot's tool sets may appear in a file for another tool: `edit/editFiles` is not a tool of a server.
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

/** Removes the set from a name such as `search/codebase`, for sets of VS Code's own tools; any other slash belongs to a server. */
export function withoutToolSet(name: string): string {
  return name.replace(SET, '');
}

const SET =
  /^(?:agent|edit|execute|new|read|runCommands|runNotebooks|runTasks|runTests|search|todo|vscode|web)\/(?=\w)/;
