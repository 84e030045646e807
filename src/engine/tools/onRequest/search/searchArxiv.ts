import * as z from '../../../../base/zod';
import type { MarkupQuery, Web } from '../../../ports';
import { type AnyTool, defineTool } from '../../tool';
import { askService, resultsOutput, type SearchResult } from './searchResults';

const HOST = 'export.arxiv.org';
const SERVICE = { tool: 'search_arxiv', name: 'arXiv' };

const input = z.strictObject({
  query: z
    .string()
    .check(z.minLength(1), z.describe('Words, or fields such as ti:attention AND au:vaswani, abs:, cat:cs.CL')),
  max_results: z.optional(z.int().check(z.minimum(1), z.maximum(20))).check(z.describe('Default 5')),
});
type Input = z.infer<typeof input>;

const ENTRIES: MarkupQuery = {
  type: 'xml',
  each: 'entry',
  fields: {
    id: { at: 'id' },
    title: { at: 'title' },
    summary: { at: 'summary' },
    author: { at: 'author > name' },
    published: { at: 'published' },
  },
};

/** `search_arxiv`: finds papers, with their abstracts. */
export function searchArxivTool(web: Web): AnyTool {
  return defineTool<Input>({
    name: SERVICE.tool,
    description: 'Searches arXiv and gives papers with authors, date, abstract and address, the best match first.',
    category: 'network',
    traits: { kind: 'web', doing: 'Searching', counted: 'search' },
    input,
    title: ({ query }) => `Search arXiv for “${query}”`,
    permission: () => ({ tool: SERVICE.tool, category: 'network', host: HOST }),
    async run({ query, max_results: most = 5 }, context) {
      const url = new URL(`https://${HOST}/api/query`);
      const asked = { search_query: arxivQuery(query), max_results: String(most), sortBy: 'relevance' };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      const text = await askService(SERVICE, { url: url.href }, { web, context });
      const entries = await web.itemsIn(text, ENTRIES, context.signal);
      return resultsOutput(SERVICE, query, entries.map(paper));
    },
  });
}

/** Returns the query in arXiv's syntax: every word must appear somewhere in the paper. */
function arxivQuery(query: string): string {
  if (/\b(?:ti|au|abs|co|jr|cat|rn|id|all):/.test(query)) return query;
  const words = query.match(/"[^"]+"|[^\s"]+/g) ?? [];
  return words.map((word) => `all:${word}`).join(' AND ');
}

function paper(entry: Readonly<Record<string, readonly string[]>>): SearchResult {
  const { id = [], title = [], summary = [], author = [], published = [] } = entry;
  const day = (published[0] ?? '').slice(0, 10);
  const people =
    author.length > 6 ? `${author.slice(0, 5).join(', ')} and ${author.length - 5} others` : author.join(', ');
  return {
    title: title[0] ?? '',
    url: id[0] ?? '',
    text: `${[people, day].filter(Boolean).join(', ')}. ${summary[0] ?? ''}`,
  };
}
