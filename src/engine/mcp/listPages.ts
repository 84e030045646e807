import * as z from '../../base/zod';

const MAX_PAGES = 100;

/**
 * Yields every item of a paginated list, unchanged. Stops early if the server repeats a cursor. Rejects with whatever `next`
 * rejects with, or with a message if the response is not a list.
 */
export async function* listPages(
  key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts',
  next: (cursor: string | undefined) => Promise<unknown>,
): AsyncGenerator<unknown, void> {
  const page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.optional(z.nullable(z.string())) });
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { data } = page.safeParse(await next(cursor));
    const items = data?.[key];
    if (!data || !Array.isArray(items)) throw new Error(`It did not send a list of ${NAMES[key]}.`);
    yield* items;
    const { nextCursor } = data;
    if (typeof nextCursor !== 'string' || nextCursor === '' || seen.has(nextCursor)) return;
    cursor = nextCursor;
    seen.add(cursor);
  }
}

const NAMES = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resource templates',
  prompts: 'prompts',
} as const;
