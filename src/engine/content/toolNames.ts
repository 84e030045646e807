import { ON_REQUEST } from '../tools/onRequest/onRequest';

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
