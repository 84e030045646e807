import * as z from '../../../base/zod';
import { isAbort } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import type { Manifest } from './keptByLaunch';
import type { ListRequest, McpLink } from '../mcpConnector';
import { readPromptList } from '../prompts/promptList';
import { readResourceList } from '../resources/resourceList';
import { readToolList } from '../toolList';

const LIST_MS = 30_000;
/** How long what a server has is taken for what it has where it says nothing else, at least, and at most. */
const USUAL_MS = 86_400_000;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 30 * 86_400_000;
/** For what a server has beside tools: nobody who calls one waits long for it. */
const BESIDE_MS = 5000;

/**
 * Asks a server for all that it has. What cannot be listed beside its tools is told as a sentence, and costs itself only. Rejects
 * with what is wrong with its list of tools, and with AbortError.
 */
export async function learnServer(
  link: McpLink,
  now: number,
  signal: AbortSignal,
): Promise<{ manifest: Manifest; problems: readonly string[] }> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
  const hints: number[] = [];
  const page = (method: ListRequest) => async (cursor: string | undefined) =>
    hinted(await link.request(method, cursor === undefined ? {} : { cursor }, { signal, timeoutMs: BESIDE_MS }), hints);
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
    link.abilities.has('tools')
      ? readToolList(async (cursor) => hinted(await link.listTools(cursor, inTime), hints))
      : undefined,
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
      freshUntil: now + Math.min(Math.max(hints.length > 0 ? Math.min(...hints) : USUAL_MS, SHORTEST_MS), LONGEST_MS),
    },
    problems: [...(tools?.problems ?? []), ...problems],
  };
}

const hint = z.looseObject({ ttlMs: z.number().check(z.minimum(0)) });

/** A page, with how long it holds among the hints of the others. */
function hinted(page: unknown, hints: number[]): unknown {
  const { data } = hint.safeParse(page);
  if (data) hints.push(data.ttlMs);
  return page;
}

interface Told {
  problems: readonly string[];
}
