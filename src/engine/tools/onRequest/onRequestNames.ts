import type { ToolCategory } from '../../permissions/permissionRule';

/** Tools that only those have who name them, by what each does to the world. */
export const ON_REQUEST: ReadonlyMap<string, ToolCategory> = new Map([
  ['web_search', 'network'],
  ['search_arxiv', 'network'],
  ['search_wikipedia', 'network'],
  ['get_current_time', 'read'],
  ['sqlite_query', 'read'],
  ['ast_grep', 'read'],
]);
