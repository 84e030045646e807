import { ON_REQUEST } from '../tools/onRequest/onRequestNames';

/** Our tools by the names that other worlds have for them; null: we know what it is, and have nothing for it yet. */
export type ToolNameTable = Readonly<Record<string, readonly string[] | null>>;

const READING = ['fs_read', 'fs_cat'];
const EDITING = ['fs_edit', 'fs_patch', 'fs_write', 'fs_mkdir', 'fs_rm'];
const SHELL = ['execute_command', 'command__list', 'command__output', 'command__stop'];
const TODOS = ['todo__init', 'todo__add', 'todo__done', 'todo__list', 'todo__clear'];
const PEOPLE = ['user__ask', 'user__confirm', 'user__input', 'user__checkbox'];
const SKILLS = ['skill__list', 'skill__load', 'skill__unload'];

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
  external_directory: null,
  doom_loop: null,
};

/** `tools` and `disallowedTools` of `.claude/agents`. */
export const CLAUDE_TOOLS: ToolNameTable = {
  Read: READING,
  NotebookRead: READING,
  LS: ['fs_ls'],
  Glob: ['fs_glob'],
  Grep: ['fs_grep'],
  Edit: ['fs_edit', 'fs_patch'],
  MultiEdit: ['fs_edit', 'fs_patch'],
  Write: ['fs_write', 'fs_mkdir'],
  NotebookEdit: null,
  Bash: SHELL,
  BashOutput: ['command__output', 'command__list'],
  KillShell: ['command__stop'],
  KillBash: ['command__stop'],
  WebFetch: ['fetch_url'],
  WebSearch: ['web_search'],
  TodoRead: ['todo__list'],
  TodoWrite: TODOS,
  TaskCreate: ['todo__init', 'todo__add'],
  TaskUpdate: ['todo__done'],
  TaskList: ['todo__list'],
  TaskGet: ['todo__list'],
  SendMessage: ['agent__send_message'],
  Task: ['agent__*'],
  Agent: ['agent__*'],
  Skill: SKILLS,
  AskUserQuestion: PEOPLE,
  ExitPlanMode: null,
  SlashCommand: null,
};

/** `tools` of `.github/agents`; sets and single tools of the editor's own agents. */
export const COPILOT_TOOLS: ToolNameTable = {
  read: READING,
  // Who may search or edit could also read until November 2025, and most files were written before.
  edit: [...READING, ...EDITING],
  search: [...READING, 'fs_ls', 'fs_glob', 'fs_grep'],
  execute: SHELL,
  shell: SHELL,
  web: ['fetch_url'],
  agent: ['agent__*'],
  todo: TODOS,
  readFile: READING,
  codebase: [...READING, 'fs_glob', 'fs_grep'],
  fileSearch: ['fs_glob'],
  textSearch: ['fs_grep'],
  listDirectory: ['fs_ls'],
  editFiles: [...READING, ...EDITING],
  createFile: ['fs_write'],
  createDirectory: ['fs_mkdir'],
  runCommands: SHELL,
  runInTerminal: SHELL,
  fetch: ['fetch_url'],
  todos: TODOS,
  runSubagent: ['agent__*'],
  problems: null,
  changes: null,
  usages: null,
  testFailure: null,
  runTests: null,
  runTasks: null,
  githubRepo: null,
  extensions: null,
  vscodeAPI: null,
  terminalLastCommand: null,
  terminalSelection: null,
  getTerminalOutput: ['command__output'],
  askQuestions: PEOPLE,
  viewImage: null,
  createAndRunTask: null,
  runNotebooks: null,
  new: null,
  findTestFiles: null,
  openSimpleBrowser: null,
  searchResults: null,
  vscode: null,
  memory: null,
  Bash: SHELL,
  powershell: SHELL,
  Grep: ['fs_grep'],
  Glob: ['fs_glob'],
  Write: EDITING,
  MultiEdit: EDITING,
  Task: ['agent__*'],
  'custom-agent': ['agent__*'],
  TodoWrite: TODOS,
  WebSearch: ['web_search'],
  WebFetch: ['fetch_url'],
};

/** Names of Coyote's tool files without their endings. Those that have our names need no entry. */
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

/** Every tool that Cairn has or will have under a fixed name; what a file calls otherwise is not known. */
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
