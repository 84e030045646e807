import * as z from '../../../base/zod';
import { todoListOutput } from '../todoList';
import { advising, type AnyTool, defineTool } from '../tool';
import { ToolRegistry } from '../toolRegistry';
import { keepsItsName, OPENCODE_NAMES } from './openCodeNames';

const todo = z.object({
  content: z.string().check(z.minLength(1)),
  status: z._default(z.enum(['pending', 'in_progress', 'completed', 'cancelled']), 'pending'),
});

const input = z.strictObject({ todos: z.array(todo) });

type Input = z.infer<typeof input>;

/** Parameter names of OpenCode and Cairn's equivalents; null: without a meaning in Cairn. */
const PARAMETERS: ReadonlyMap<string, string | null> = new Map([
  ['filePath', 'path'],
  ['content', 'contents'],
  ['oldString', 'old_string'],
  ['newString', 'new_string'],
  ['replaceAll', 'replace_all'],
  ['format', null],
  ['workdir', null],
]);

/** Without background commands, since none of OpenCode's tools manages them. */
const bashInput = z.strictObject({
  command: z.string().check(z.minLength(1)),
  timeout_seconds: z
    .optional(z.int().check(z.minimum(1), z.maximum(1800)))
    .check(z.describe('Seconds until it is ended; default 120')),
});
const BASH =
  'Runs a shell command in the workspace folder and returns its exit code and output. Every call is a new shell: cd and variables do not last. There is no standard input.';

/**
 * Returns the tools under the names that an agent in OpenCode's format knows: the same tools, which accept both Cairn's and
 * OpenCode's parameters. Permissions are judged by Cairn's names. Tools that OpenCode does not have keep their names, and so do
 * those in `granted`, Cairn's names of the tools that a skill adds.
 */
export function openCodeTools(tools: ToolRegistry, granted: ReadonlySet<string> = new Set()): ToolRegistry {
  const known = Object.entries(OPENCODE_NAMES).flatMap(([name, own]) => {
    const tool = tools.get(own);
    return tool ? [underName(name, tool)] : [];
  });
  const isAdded = ({ name }: AnyTool) => granted.has(name) && !known.some(({ ownName }) => ownName === name);
  return new ToolRegistry([...known, ...tools.all.filter((tool) => keepsItsName(tool) || isAdded(tool))]);
}

function underName(name: string, tool: AnyTool): AnyTool {
  if (name === 'task') return tool;
  const ownName = tool.name;
  if (name === 'todowrite') return { ...advising(writeTodosTool()), ownName };
  const isBash = name === 'bash';
  return {
    ...tool,
    name,
    ownName,
    description: isBash ? BASH : inItsWords(tool.description),
    input: isBash ? bashInput : tool.input,
    bind: (input) => tool.bind(isObject(input) ? inOurs(input, isBash) : input),
  };
}

function inOurs(input: object, isBash: boolean): Record<string, unknown> {
  const entries = Object.entries(input).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
    if (isBash && key === 'timeout' && typeof value === 'number') {
      return [['timeout_seconds', Math.min(1800, Math.max(1, Math.ceil(value / 1000)))]];
    }
    const known = isBash && key === 'description' ? null : PARAMETERS.get(key);
    return known === null ? [] : [[known ?? key, value]];
  });
  return Object.fromEntries(entries);
}

/** Renames other tools in a description; a sentence about one that is not available is dropped. */
function inItsWords(description: string): string {
  const named = Object.entries(OPENCODE_NAMES).reduce((text, [name, own]) => text.replaceAll(own, name), description);
  return named
    .split(/(?<=[.:;]) (?=\S)/)
    .filter((part) => !/\b(?:fs|command|todo|agent)_+\w/.test(part))
    .join(' ');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `todowrite`: replaces the whole list, in OpenCode's terms. */
function writeTodosTool(): AnyTool {
  return defineTool<Input>({
    name: 'todowrite',
    description:
      'Replaces the to-do list with these steps. Keep one for work of three or more steps, and write it again with the new status as soon as a step is done.',
    category: 'agent',
    traits: { kind: 'todos', roles: ['writes-todos', 'marks-todos'], quiet: true },
    input,
    title: ({ todos }) => (todos.length === 0 ? 'Clear the to-dos' : `Plan ${steps(todos.length)}`),
    permission: () => ({ tool: 'todo__init', category: 'agent' }),
    async run({ todos: wanted }, { todos }) {
      const kept = wanted.filter(({ status }) => status !== 'cancelled');
      todos.write(kept.map(({ content, status }) => ({ text: content, done: status === 'completed' })));
      return todoListOutput(todos.items);
    },
  });
}

function steps(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`;
}
