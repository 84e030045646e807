import * as z from '../../../../base/zod';
import type { WebRequest } from '../../../ports';
import type { SearchResult } from './searchResults';

type Asking = Pick<WebRequest, 'url' | 'headers' | 'body'>;

/** A service that searches the web with an API key. */
export interface SearchProvider {
  /** The name by which the user selects it. */
  readonly id: string;
  readonly name: string;
  /** The environment variable or secret with its key. */
  readonly keyVariable: string;
  request(query: string, most: number, key: string): Asking;
  /** Returns undefined if the answer has an unexpected form. */
  results(answer: unknown): SearchResult[] | undefined;
}

const text = z._default(z.string(), '');
const found = { title: text, url: z.string() };

const braveAnswer = z.object({
  // Missing if nothing was found.
  web: z._default(z.object({ results: z.array(z.object({ ...found, description: text })) }), { results: [] }),
});
const tavilyAnswer = z.object({ results: z.array(z.object({ ...found, content: text })) });
const exaAnswer = z.object({
  results: z.array(
    z.object({ ...found, title: z._default(z.nullable(z.string()), ''), highlights: z.optional(z.array(z.string())) }),
  ),
});
const perplexityAnswer = z.object({ results: z.array(z.object({ ...found, snippet: text })) });

/** In order of preference: the first one with a key is used. */
export const SEARCH_PROVIDERS: readonly SearchProvider[] = [
  {
    id: 'brave',
    name: 'Brave Search',
    keyVariable: 'BRAVE_API_KEY',
    request: (query, most, key) => ({
      url: withQuery('https://api.search.brave.com/res/v1/web/search', { q: query, count: String(most) }),
      headers: { accept: 'application/json', 'x-subscription-token': key },
    }),
    results: (answer) =>
      braveAnswer
        .safeParse(answer)
        .data?.web.results.map(({ title, url, description }) => ({ title, url, text: withoutTags(description) })),
  },
  {
    id: 'tavily',
    name: 'Tavily',
    keyVariable: 'TAVILY_API_KEY',
    request: (query, most, key) => ({
      url: 'https://api.tavily.com/search',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: most }),
    }),
    results: (answer) =>
      tavilyAnswer.safeParse(answer).data?.results.map(({ title, url, content }) => ({ title, url, text: content })),
  },
  {
    id: 'exa',
    name: 'Exa',
    keyVariable: 'EXA_API_KEY',
    request: (query, most, key) => ({
      url: 'https://api.exa.ai/search',
      headers: { 'x-api-key': key },
      body: JSON.stringify({ query, numResults: most, contents: { highlights: true } }),
    }),
    results: (answer) =>
      exaAnswer.safeParse(answer).data?.results.map(({ title, url, highlights = [] }) => ({
        title: title ?? url,
        url,
        text: highlights.join(' ... '),
      })),
  },
  {
    id: 'perplexity',
    name: 'Perplexity',
    keyVariable: 'PERPLEXITY_API_KEY',
    request: (query, most, key) => ({
      url: 'https://api.perplexity.ai/search',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: most }),
    }),
    results: (answer) =>
      perplexityAnswer
        .safeParse(answer)
        .data?.results.map(({ title, url, snippet }) => ({ title, url, text: snippet })),
  },
];

/** Returns an address with these query parameters. */
export function withQuery(address: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/** Removes the markup that highlights the search terms. */
function withoutTags(html: string): string {
  return html.replace(/<\/?[a-z][^<>]*>/gi, '');
}
