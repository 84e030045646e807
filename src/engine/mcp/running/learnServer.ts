import * as z from '../../../base/zod';
import { isAbort } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import { EngineError } from '../../engineError';
import type { Clock } from '../../ports';
import { inTime } from './inTime';
import type { Manifest } from './keptByLaunch';
import type { ListRequest, McpLink } from '../mcpConnector';
import { readPromptList } from '../prompts/promptList';
import { readResourceList } from '../resources/resourceList';
import { readToolList } from '../toolList';

/** For all pages of a list. */
const LIST_MS = 30_000;
/** How long what a server has is taken for what it has where it says nothing else, at least, and at most. */
const USUAL_MS = 86_400_000;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 30 * 86_400_000;
/** For a page of what a server has beside tools: nobody who calls one waits long for it. */
const BESIDE_MS = 5000;
/** And for all of them, however many there are. */
const ALL_BESIDE_MS = 10_000;

/**
 * Asks a server for all that it has. What cannot be listed beside its tools is told as a sentence, and costs itself only. Rejects
 * with what is wrong with its list of tools, and with AbortError.
 */
export async function learnServer(
  link: McpLink,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ manifest: Manifest; problems: readonly string[] }> {
  const hints: number[] = [];
  const page = (method: ListRequest, until: AbortSignal) => async (cursor: string | undefined) => {
    const params = cursor === undefined ? {} : { cursor };
    return hinted(await link.request(method, params, { signal: until, timeoutMs: BESIDE_MS }), hints);
  };
  const problems: string[] = [];
  const beside = besideOf(link, problems, { clock, signal });
  const [tools, resources, templates, prompts] = await Promise.all([
    link.abilities.has('tools')
      ? inTime(clock, LIST_MS, signal, (until) =>
          readToolList(async (cursor) => hinted(await link.listTools(cursor, until), hints)),
        ).catch(notInTime(signal))
      : undefined,
    beside('resources', 'resources', (until) => readResourceList('resources', page('resources/list', until))),
    beside('resources', 'resource templates', (until) =>
      readResourceList('resourceTemplates', page('resources/templates/list', until)),
    ),
    beside('prompts', 'prompts', (until) => readPromptList(page('prompts/list', until))),
  ]);
  const ttlMs = hints.length > 0 ? Math.min(...hints) : USUAL_MS;
  return {
    manifest: {
      tools: [...(tools?.tools ?? [])],
      instructions: link.instructions,
      resources: [...(resources?.resources ?? []), ...(templates?.resources ?? [])],
      prompts: [...(prompts?.prompts ?? [])],
      freshUntil: clock.now() + Math.min(Math.max(ttlMs, SHORTEST_MS), LONGEST_MS),
    },
    problems: [...(tools?.problems ?? []), ...problems],
  };
}

/** Reads what a server that is able to has beside its tools. Rejects only when the signal aborts. */
function besideOf(
  { abilities }: McpLink,
  problems: string[],
  { clock, signal }: { clock: Clock; signal: AbortSignal },
) {
  return async <T extends Told>(
    ability: 'resources' | 'prompts',
    what: string,
    read: (until: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    if (!abilities.has(ability)) return undefined;
    try {
      const found = await inTime(clock, ALL_BESIDE_MS, signal, read);
      problems.push(...found.problems);
      return found;
    } catch (error) {
      if (signal.aborted) throw error;
      problems.push(`Its ${what} are unknown: ${isAbort(error) ? TOO_LATE : errorText(error)}`);
      return undefined;
    }
  };
}

const TOO_LATE = 'It did not list all of them in time.';

/** Who waits did not give up: it is the server that does not answer. */
function notInTime(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    if (signal.aborted || !isAbort(error)) throw error;
    throw new EngineError('io', `Its tools are unknown: ${TOO_LATE}`, { cause: error });
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
