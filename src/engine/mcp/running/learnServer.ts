import { isAbort } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import { EngineError } from '../../engineError';
import type { Clock } from '../../ports';
import type { ListRequest, McpLink } from '../mcpConnector';
import { readPromptList, readResourceList, readToolList } from '../serverLists';
import { inTime } from './inTime';
import { type Manifest, ttlHint } from './keptByLaunch';

/** Time limit for all pages of the tool list. */
const LIST_MS = 30_000;
/** How long a manifest is valid: the default, the minimum, and the maximum. */
const USUAL_MS = 86_400_000;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 30 * 86_400_000;
/** Time limit for a page of resources or prompts, kept short because a call may be waiting. */
const BESIDE_MS = 5000;
/** Time limit for all of their pages together. */
const ALL_BESIDE_MS = 10_000;

/**
 * Asks a server for everything it offers. If resources or prompts cannot be listed, that is reported as a problem and the rest is
 * still returned. Rejects if the tool list is invalid, and with AbortError.
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
          readToolList(async (cursor) => hinted(await link.listTools(cursor, until), hints), link.sendsHeaders),
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

/** Returns a function that lists resources or prompts if the server has that capability. It rejects only when the signal aborts. */
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

/** Converts the abort of a timeout into an error: the caller did not cancel, the server did not answer. */
function notInTime(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    if (signal.aborted || !isAbort(error)) throw error;
    throw new EngineError('io', `Its tools are unknown: ${TOO_LATE}`, { cause: error });
  };
}

/** Records a page's time to live and returns the page. */
function hinted(page: unknown, hints: number[]): unknown {
  const { data } = ttlHint.safeParse(page);
  if (data) hints.push(data.ttlMs);
  return page;
}

interface Told {
  problems: readonly string[];
}
