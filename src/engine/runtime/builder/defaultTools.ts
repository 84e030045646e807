import { OWN_TOOLS } from '../../content/toolNames';
import type { ToolCategory } from '../../permissions/permissionRule';
import type { ToolEntry } from '../offeredTools';

/** The first that matches says what a tool does to the world. */
const CATEGORIES: readonly (readonly [RegExp, ToolCategory])[] = [
  [/^(fs_(read|cat|ls|glob|grep)|command__(list|output))$/, 'read'],
  [/^fs_/, 'write'],
  [/^execute_command$/, 'execute'],
  [/^(fetch_url|web_search)$/, 'network'],
  [/^user__/, 'user'],
];

/** Every tool that comes with Cairn, as far as it matters for who is offered it. */
export function defaultTools(): ToolEntry[] {
  return OWN_TOOLS.filter((name) => name !== 'web_search').map((name) => ({
    name,
    category: CATEGORIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'agent',
  }));
}
