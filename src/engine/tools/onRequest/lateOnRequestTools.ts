import type { AnyTool } from '../tool';
import type { ToolSource } from '../toolSource';
import { ON_REQUEST } from './onRequestNames';

/** Tools that only those have who name them; `load` is called for the first who does. */
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
