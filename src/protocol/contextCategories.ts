/** A kind of thing to which `@` can be narrowed: what is typed before a colon, as in `@file:date`. */
export type ContextCategory = 'file' | 'folder' | 'symbol' | 'terminal' | 'resource' | 'agent';

interface CategoryWords {
  name: ContextCategory;
  /** Of the row that leads there, and of its group. */
  label: string;
  icon: string;
  detail: string;
}

export const CONTEXT_CATEGORIES: readonly CategoryWords[] = [
  { name: 'file', label: 'Files', icon: 'file', detail: 'Open files first' },
  { name: 'folder', label: 'Folders', icon: 'folder', detail: 'With a list of what is in them' },
  { name: 'symbol', label: 'Symbols', icon: 'symbol-method', detail: 'Functions, classes, and more' },
  { name: 'agent', label: 'Agents', icon: 'robot', detail: 'Has another agent work on it' },
  { name: 'terminal', label: 'Terminal', icon: 'output', detail: 'What commands wrote last' },
  { name: 'resource', label: 'Resources', icon: 'plug', detail: 'From MCP servers' },
];

/** What was typed after `@`: the category that it is narrowed to, and the words that are looked for. */
export function readContextQuery(query: string): { only: ContextCategory | null; words: string } {
  const category = CONTEXT_CATEGORIES.find(({ name }) => query.toLowerCase().startsWith(`${name}:`));
  // The address of a file is no search for files.
  if (!category || query.startsWith('file://')) return { only: null, words: query };
  return { only: category.name, words: query.slice(category.name.length + 1) };
}
