import { isAbort } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import type { Manifest } from './manifests';
import type { ListRequest, McpLink } from '../mcpConnector';
import { readPromptList } from '../prompts/promptList';
import { readResourceList } from '../resources/resourceList';
import { readToolList } from '../toolList';

const LIST_MS = 30_000;
/** For what a server has beside tools: nobody who calls one waits long for it. */
const BESIDE_MS = 5000;

/**
 * Asks a server for all that it has. What cannot be listed beside its tools is told as a sentence, and costs itself only. Rejects
 * with what is wrong with its list of tools, and with AbortError.
 */
export async function learnServer(
  link: McpLink,
  signal: AbortSignal,
): Promise<{ manifest: Manifest; problems: readonly string[] }> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
  const page = (method: ListRequest) => (cursor: string | undefined) =>
    link.request(method, cursor === undefined ? {} : { cursor }, { signal, timeoutMs: BESIDE_MS });
  const problems: string[] = [];
  const beside = async <T extends Told>(
    ability: 'resources' | 'prompts',
    what: string,
    read: () => Promise<T>,
  ): Promise<T | undefined> => {
    if (!link.abilities.has(ability)) return undefined;
    try {
      const found = await read();
      problems.push(...found.problems);
      return found;
    } catch (error) {
      if (isAbort(error)) throw error;
      problems.push(`Its ${what} are not known: ${errorText(error)}`);
      return undefined;
    }
  };
  const [tools, resources, templates, prompts] = await Promise.all([
    link.abilities.has('tools') ? readToolList((cursor) => link.listTools(cursor, inTime)) : undefined,
    beside('resources', 'resources', () => readResourceList('resources', page('resources/list'))),
    beside('resources', 'resource templates', () =>
      readResourceList('resourceTemplates', page('resources/templates/list')),
    ),
    beside('prompts', 'prompts', () => readPromptList(page('prompts/list'))),
  ]);
  return {
    manifest: {
      tools: [...(tools?.tools ?? [])],
      instructions: link.instructions,
      resources: [...(resources?.resources ?? []), ...(templates?.resources ?? [])],
      prompts: [...(prompts?.prompts ?? [])],
    },
    problems: [...(tools?.problems ?? []), ...problems],
  };
}

interface Told {
  problems: readonly string[];
}
