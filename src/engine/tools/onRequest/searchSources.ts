import * as z from '../../../base/zod';
import type { MarkupQuery, Web } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { askService, jsonIn, notUnderstood, resultsOutput, type SearchResult } from './searchResults';

const RESULTS = 3;
const WIKIPEDIA = { tool: 'search_wikipedia', name: 'Wikipedia' };

const wikipediaInput = z.strictObject({
  query: z.string().check(z.minLength(1)),
  language: z
    .optional(z.string().check(z.regex(/^[a-z]{2,12}(-[a-z]{2,12})?$/, 'must be a code such as en')))
    .check(z.describe('Code of the Wikipedia, such as de, default en')),
});
type WikipediaInput = z.infer<typeof wikipediaInput>;

const answer = z.object({
  query: z.optional(
    z.object({
      pages: z.array(
        z.object({ title: z.string(), index: z.number(), fullurl: z.url(), extract: z.optional(z.string()) }),
      ),
    }),
  ),
});

/** `search_wikipedia`: returns the introductions of the best articles. */
export function searchWikipediaTool(web: Web): AnyTool {
  return defineTool<WikipediaInput>({
    name: WIKIPEDIA.tool,
    description: `Searches Wikipedia and gives the introductions of the ${RESULTS} best articles with their addresses. Read a whole article with fetch_url.`,
    category: 'network',
    traits: { kind: 'web', doing: 'Searching', counted: 'search' },
    input: wikipediaInput,
    title: ({ query }) => `Search Wikipedia for “${query}”`,
    permission: ({ language }) => ({ tool: WIKIPEDIA.tool, category: 'network', host: hostOf(language) }),
    async run({ query, language }, context) {
      const url = new URL(`https://${hostOf(language)}/w/api.php`);
      const fixed = { action: 'query', format: 'json', formatversion: '2', generator: 'search', prop: 'extracts|info' };
      const extracts = { exintro: '1', explaintext: '1', exlimit: 'max', inprop: 'url', redirects: '1' };
      const asked = { ...fixed, ...extracts, gsrsearch: query, gsrlimit: String(RESULTS) };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      const said = answer.safeParse(jsonIn(await askService(WIKIPEDIA, { url: url.href }, { web, context })));
      if (!said.success) throw notUnderstood(WIKIPEDIA);
      const pages = [...(said.data.query?.pages ?? [])].sort((one, other) => one.index - other.index);
      const results = pages.map(({ title, fullurl, extract = '' }) => ({ title, url: fullurl, text: extract }));
      return resultsOutput(WIKIPEDIA, query, results);
    },
  });
}

function hostOf(language = 'en'): string {
  return `${language}.wikipedia.org`;
}

const HOST = 'export.arxiv.org';
const ARXIV = { tool: 'search_arxiv', name: 'arXiv' };

const arxivInput = z.strictObject({
  query: z
    .string()
    .check(z.minLength(1), z.describe('Words, or fields such as ti:attention AND au:vaswani, abs:, cat:cs.CL')),
  max_results: z.optional(z.int().check(z.minimum(1), z.maximum(20))).check(z.describe('Default 5')),
});
type ArxivInput = z.infer<typeof arxivInput>;

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
  return defineTool<ArxivInput>({
    name: ARXIV.tool,
    description: 'Searches arXiv and gives papers with authors, date, abstract and address, the best match first.',
    category: 'network',
    traits: { kind: 'web', doing: 'Searching', counted: 'search' },
    input: arxivInput,
    title: ({ query }) => `Search arXiv for “${query}”`,
    permission: () => ({ tool: ARXIV.tool, category: 'network', host: HOST }),
    async run({ query, max_results: most = 5 }, context) {
      const url = new URL(`https://${HOST}/api/query`);
      const asked = { search_query: arxivQuery(query), max_results: String(most), sortBy: 'relevance' };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      const text = await askService(ARXIV, { url: url.href }, { web, context });
      const entries = await web.itemsIn(text, ENTRIES, context.signal);
      return resultsOutput(ARXIV, query, entries.map(paper));
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
