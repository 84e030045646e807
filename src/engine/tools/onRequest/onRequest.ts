import type { ToolCategory } from '../../permissions/permissionRule';
import type { AnyTool } from '../tool';
import type { ToolSource } from '../toolSource';

/** Tools that are only available to agents that name them, each with its category. */
export const ON_REQUEST: ReadonlyMap<string, ToolCategory> = new Map([
  ['web_search', 'network'],
  ['search_arxiv', 'network'],
  ['search_wikipedia', 'network'],
  ['get_current_time', 'read'],
  ['sqlite_query', 'read'],
  ['ast_grep', 'read'],
]);

/** Provides the tools that must be named; `load` is called for the first agent that names one. */
export function lateOnRequestTools(load: () => Promise<readonly AnyTool[]>): ToolSource {
  let loaded: Promise<readonly AnyTool[]> | undefined;
  return {
    async toolsFor(_place, _wants, { names }) {
      const named = [...ON_REQUEST.keys()].filter(names);
      if (named.length === 0) return { tools: [], notices: [] };
      const tools = await (loaded ??= load());
      return { tools: tools.filter(({ name }) => named.includes(name)), notices: [] };
    },
  };
}
