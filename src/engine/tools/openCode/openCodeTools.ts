import * as z from 'zod';
import type { AnyTool } from '../tool';
import { ToolRegistry } from '../toolRegistry';
import { keepsItsName, OPENCODE_NAMES } from './openCodeNames';
import { writeTodosTool } from './writeTodos';

/** What models that know OpenCode write instead of our parameters; null: what says nothing to us. */
const PARAMETERS: ReadonlyMap<string, string | null> = new Map([
  ['filePath', 'path'],
  ['content', 'contents'],
  ['oldString', 'old_string'],
  ['newString', 'new_string'],
  ['replaceAll', 'replace_all'],
  ['format', null],
  ['workdir', null],
]);

/** Without a background, since nothing of that world looks after one. */
const bashInput = z.strictObject({
  command: z.string().min(1),
  timeout_seconds: z.int().min(1).max(1800).optional().describe('Default 120'),
});
const BASH = "Runs a command in the platform's shell, in the workspace folder, without a terminal or standard input.";

/**
 * The tools under the names by which an agent in OpenCode's format knows them: the same tools, which take our parameters and
 * those of OpenCode. Permissions are judged by our names. What that world knows nothing of keeps its name, and so does what is
 * among `granted`, our names of tools that a skill adds.
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
  if (name === 'todowrite') return { ...writeTodosTool(), ownName };
  const isBash = name === 'bash';
  return {
    ...tool,
    ...{ name, ownName, description: isBash ? BASH : inItsWords(tool.description) },
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

/** What a description says of other tools. */
function inItsWords(description: string): string {
  return Object.entries(OPENCODE_NAMES).reduce((text, [name, own]) => text.replaceAll(own, name), description);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
