import { EDITING, PEOPLE, READING, SHELL, SKILLS, TODOS, type ToolNameTable } from './toolNames';

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
  TaskOutput: ['command__output'],
  TaskStop: ['command__stop'],
  SendMessage: ['agent__send_message'],
  Task: ['agent__*'],
  Agent: ['agent__*'],
  Skill: SKILLS,
  AskUserQuestion: PEOPLE,
  EnterPlanMode: null,
  ExitPlanMode: null,
  LSP: null,
  Workflow: null,
  TeamCreate: null,
  TeamDelete: null,
  SlashCommand: null,
  PowerShell: SHELL,
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
  runTask: null,
  getTaskOutput: null,
  getProjectSetupInfo: null,
  installExtension: null,
  newWorkspace: null,
  awaitTerminal: ['command__output'],
  killTerminal: ['command__stop'],
  terminalCommand: SHELL,
  runCommand: SHELL,
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
  NotebookRead: READING,
  NotebookEdit: null,
  // As its command line calls them.
  view: READING,
  create: ['fs_write', 'fs_mkdir'],
  apply_patch: ['fs_patch'],
  web_fetch: ['fetch_url'],
  update_todo: TODOS,
  ask_user: PEOPLE,
  skill: SKILLS,
  // Of notebooks.
  getNotebookSummary: null,
  readNotebookCellOutput: null,
  runNotebookCell: null,
  editNotebook: null,
  createJupyterNotebook: null,
};

/** `tools` of `.gemini/agents`; also by Claude Code's names, since many write one file for both. */
export const GEMINI_TOOLS: ToolNameTable = {
  ...CLAUDE_TOOLS,
  read_file: READING,
  read_many_files: READING,
  list_directory: ['fs_ls'],
  glob: ['fs_glob'],
  grep_search: ['fs_grep'],
  grep_search_ripgrep: ['fs_grep'],
  search_file_content: ['fs_grep'],
  replace: ['fs_edit', 'fs_patch'],
  edit: ['fs_edit', 'fs_patch'],
  write_file: ['fs_write', 'fs_mkdir'],
  run_shell_command: SHELL,
  web_fetch: ['fetch_url'],
  google_web_search: ['web_search'],
  write_todos: TODOS,
  ask_user: PEOPLE,
  activate_skill: SKILLS,
  save_memory: null,
  get_internal_docs: null,
  enter_plan_mode: null,
  exit_plan_mode: null,
};

/** `search/codebase` names a tool of a set of the editor's own; any other slash is a server's. */
export function withoutToolSet(name: string): string {
  return name.replace(SET, '');
}

const SET =
  /^(?:agent|edit|execute|new|read|runCommands|runNotebooks|runTasks|runTests|search|todo|vscode|web)\/(?=\w)/;

/** What an agent cannot do, a sentence each, that its list of tools leaves out though it most likely meant to. */
export function toolGaps(written: readonly string[] = [], tools: readonly string[] = []): string[] {
  if (written.length > 0 && tools.length === 0)
    return [
      'Cairn has none of these tools, so the agent has no tools left. Name some that it has, or leave the list out.',
    ];
  const changes = tools.some((name) => name === 'fs_edit' || name === 'fs_write');
  if (changes && !tools.some((name) => name === 'fs_read' || name === '*' || name === 'fs_*'))
    return ['The agent can change files but cannot read them. Add the tool that reads files.'];
  return [];
}
