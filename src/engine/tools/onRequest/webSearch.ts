import { safeLine } from '../../../base/shown/safeText';
import { withoutEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import type { MarkupQuery, Web, WebRequest } from '../../ports';
import type { SecretValues } from '../../secrets/secretPlaceholders';
import { type AnyTool, defineTool } from '../tool';
import type { ToolContext } from '../toolContext';
import { ToolFailure } from '../toolOutput';
import {
  type AskedService,
  askService,
  jsonIn,
  notUnderstood,
  resultsOutput,
  type SearchResult,
} from './searchResults';

const TOOL = 'web_search';
/** Selects the service, if the user wants one other than the first that has a key. */
const CHOICE = 'CAIRN_WEB_SEARCH';
/** Address of a SearXNG instance, which needs no key. */
const SEARXNG = 'SEARXNG_URL';
const WITHOUT_KEY = 'duckduckgo';

const input = z.strictObject({
  query: z.string().check(z.minLength(1)),
  max_results: z.optional(z.int().check(z.minimum(1), z.maximum(20))).check(z.describe('Default 8')),
});
type Input = z.infer<typeof input>;

const searxngAnswer = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z._default(z.string(), '') })),
});

interface WebSearchParts {
  web: Web;
  environment: Readonly<Record<string, string | undefined>>;
  secrets: SecretValues;
}

/** A search that is ready to run. */
interface Search {
  service: AskedService;
  find: (query: string, most: number, context: ToolContext) => Promise<readonly SearchResult[]>;
}

/** `web_search`: uses the service that the user has a key for, otherwise one that needs none. */
export function webSearchTool(parts: WebSearchParts): AnyTool {
  return defineTool<Input>({
    name: TOOL,
    description:
      'Searches the web and gives titles, addresses and excerpts, the best first. Read the pages that matter with fetch_url.',
    category: 'network',
    traits: { kind: 'web', doing: 'Searching', counted: 'search' },
    input,
    title: ({ query }) => `Search the web for “${query}”`,
    permission: () => ({ tool: TOOL, category: 'network' }),
    async run({ query, max_results: most = 8 }, context) {
      const { service, find } = await searchOf(parts);
      const results = await find(query, most, context);
      return resultsOutput(service, query, results.slice(0, most));
    },
  });
}

async function searchOf(parts: WebSearchParts): Promise<Search> {
  const { environment, secrets } = parts;
  const chosen = environment[CHOICE]?.toLowerCase();
  const valueOf = async (name: string) => environment[name] || (await secrets.get(name));
  if (chosen === WITHOUT_KEY) return duckDuckGo(parts);
  const isWanted = ({ id }: { id: string }) => !chosen || id === chosen;
  const own = isWanted({ id: 'searxng' }) ? environment[SEARXNG] : undefined;
  if (own) return searxng(own, parts);
  const wanted = SEARCH_PROVIDERS.filter(isWanted);
  for (const provider of wanted) {
    const key = await valueOf(provider.keyVariable);
    if (key) return withKey(provider, key, parts);
  }
  if (!chosen) return duckDuckGo(parts);
  throw missing(chosen, wanted[0]);
}

function missing(chosen: string, provider: SearchProvider | undefined): ToolFailure {
  const variable = chosen === 'searxng' ? SEARXNG : provider?.keyVariable;
  if (variable !== undefined) {
    return new ToolFailure(
      'failed',
      `${CHOICE} is ${chosen}, but ${variable} is not set. Tell the user to set it or to choose ${WITHOUT_KEY}.`,
    );
  }
  const names = ['searxng', ...SEARCH_PROVIDERS.map(({ id }) => id), WITHOUT_KEY].join(', ');
  return new ToolFailure(
    'failed',
    `${CHOICE} is ${safeLine(chosen, 40)}, which is not one of ${names}. Tell the user to change it.`,
  );
}

function withKey(provider: SearchProvider, key: string, { web }: WebSearchParts): Search {
  const service = { tool: TOOL, name: provider.name };
  return {
    service,
    async find(query, most, context) {
      const said = await askService(service, provider.request(query, most, key), { web, context });
      const results = provider.results(jsonIn(said));
      if (!results) throw notUnderstood(service);
      return results;
    },
  };
}

function searxng(address: string, { web }: WebSearchParts): Search {
  const service = { tool: TOOL, name: 'SearXNG' };
  return {
    service,
    async find(query, _most, context) {
      if (!URL.canParse(address)) {
        throw new ToolFailure('failed', `${SEARXNG} is not a URL. Tell the user to write it as http://host:port.`);
      }
      const url = withQuery(`${withoutEnd(address, '/')}/search`, { q: query, format: 'json' });
      // The user configured this address.
      const said = searxngAnswer.safeParse(jsonIn(await askService(service, { url, isOwn: true }, { web, context })));
      if (!said.success) throw notUnderstood(service);
      return said.data.results.map(({ title, url: at, content }) => ({ title, url: at, text: content }));
    },
  };
}

/** Excludes advertisements. */
const RESULTS: MarkupQuery = {
  type: 'html',
  each: '.result:not(.result--ad)',
  fields: {
    title: { at: 'a.result__a' },
    url: { at: 'a.result__a', attribute: 'href' },
    text: { at: '.result__snippet' },
  },
};
/** Marks a page without results; any other page without results is a bot check. */
const NOTHING = /class="[^"]*\bno-results\b/;

function duckDuckGo({ web }: WebSearchParts): Search {
  const service = { tool: TOOL, name: 'DuckDuckGo' };
  return {
    service,
    async find(query, _most, context) {
      const url = withQuery('https://html.duckduckgo.com/html/', { q: query });
      const page = await askService(service, { url }, { web, context });
      const items = await web.itemsIn(page, RESULTS, context.signal);
      const results = items.flatMap(({ title = [], url: link = [], text = [] }) => {
        const at = target(link[0] ?? '');
        return at === undefined ? [] : [{ title: title[0] ?? at, url: at, text: text[0] ?? '' }];
      });
      if (results.length === 0 && !NOTHING.test(page)) throw turnedAway();
      return results;
    },
  };
}

/** Resolves a result link, since DuckDuckGo links through its own redirects. */
function target(link: string): string | undefined {
  if (!URL.canParse(link, 'https://duckduckgo.com')) return undefined;
  const url = new URL(link, 'https://duckduckgo.com');
  if (!/(^|\.)duckduckgo\.com$/.test(url.hostname)) return /^https?:$/.test(url.protocol) ? url.href : undefined;
  const to = url.searchParams.get('uddg');
  return to !== null && /^https?:/.test(to) && URL.canParse(to) ? to : undefined;
}

function turnedAway(): ToolFailure {
  const keys = SEARCH_PROVIDERS.map(({ keyVariable }) => keyVariable).join(', ');
  return new ToolFailure(
    'failed',
    `DuckDuckGo does not answer programs at the moment. Wait a few minutes, or tell the user that a key for a search service (${keys}) or ${SEARXNG} helps.`,
  );
}

type Asking = Pick<WebRequest, 'url' | 'headers' | 'body'>;

/** A service that searches the web with an API key. */
interface SearchProvider {
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
const SEARCH_PROVIDERS: readonly SearchProvider[] = [
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
function withQuery(address: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/** Removes the markup that highlights the search terms. */
function withoutTags(html: string): string {
  return html.replace(/<\/?[a-z][^<>]*>/gi, '');
}
