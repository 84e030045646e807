import { isRecord } from '../../base/isRecord';

/** Cairn's parameters, and what models trained on other tools call them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  path: [
    'file_path',
    'filepath',
    'filename',
    'file',
    'target_file',
    'directory',
    'dir',
    'dir_path',
    'folder',
    'absolute_path',
  ],
  contents: ['content', 'text', 'file_text', 'data', 'body', 'patch', 'diff', 'input'],
  old_string: ['old_str', 'old_text', 'old', 'search'],
  new_string: ['new_str', 'new_text', 'new', 'replace', 'replacement'],
  replace_all: ['all'],
  offset: ['start_line', 'line_start', 'start', 'line'],
  limit: ['max_lines', 'num_lines', 'line_count', 'lines'],
  pattern: ['query', 'regex', 'glob', 'glob_pattern', 'search_pattern', 'q'],
  include: ['file_pattern', 'include_pattern', 'files'],
  command: ['cmd', 'script', 'command_line'],
  background: ['run_in_background', 'is_background'],
  timeout_seconds: ['timeout', 'timeout_ms', 'timeout_sec'],
  url: ['uri', 'link', 'address'],
  todos: ['items', 'tasks', 'steps', 'todo_list', 'plan'],
  todo: ['text', 'content', 'task', 'item', 'description'],
  id: ['todo', 'task_id', 'todo_id', 'index', 'command_id'],
  question: ['prompt', 'text', 'message'],
  name: ['skill', 'skill_name'],
  agent: ['subagent_type', 'agent_name', 'agent_type'],
  prompt: ['task', 'message', 'instructions'],
};

/** No command takes this many seconds, so the value was meant in milliseconds. */
const MOST_SECONDS = 1800;

/**
 * Renames parameters to Cairn's names where that is unambiguous: the tool has Cairn's parameter and not the other one, and
 * Cairn's was not given. Returns the same object if there is nothing to rename.
 */
export function meantKeys(input: unknown, taken: readonly string[]): unknown {
  if (!isRecord(input) || Array.isArray(input)) return input;
  const given: Record<string, unknown> = { ...input };
  let isChanged = false;
  for (const key of taken) {
    if (given[key] !== undefined) continue;
    const known = [key, ...(Object.hasOwn(SYNONYMS, key) ? (SYNONYMS[key] ?? []) : [])].map(plain);
    const other = Object.keys(given).find((one) => !taken.includes(one) && known.includes(plain(one)));
    if (other === undefined) continue;
    given[key] = key === 'timeout_seconds' ? inSeconds(given[other], other) : given[other];
    Reflect.deleteProperty(given, other);
    isChanged = true;
  }
  return isChanged ? given : input;
}

/** Makes `filePath`, `file-path` and `file_path` equal. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function inSeconds(value: unknown, name: string): unknown {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return value;
  return /ms$/i.test(name) || number > MOST_SECONDS ? Math.max(1, Math.round(number / 1000)) : number;
}
