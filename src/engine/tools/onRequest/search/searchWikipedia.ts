import * as z from '../../../../base/zod';
import type { Web } from '../../../ports';
import { type AnyTool, defineTool } from '../../tool';
import { askService, jsonIn, notUnderstood, resultsOutput } from './searchResults';

const RESULTS = 3;
const SERVICE = { tool: 'search_wikipedia', name: 'Wikipedia' };

const input = z.strictObject({
  query: z.string().check(z.minLength(1)),
  language: z
    .optional(z.string().check(z.regex(/^[a-z]{2,12}(-[a-z]{2,12})?$/, 'must be a code such as en')))
    .check(z.describe('Code of the Wikipedia, such as de, default en')),
});
type Input = z.infer<typeof input>;

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
  return defineTool<Input>({
    name: SERVICE.tool,
    description: `Searches Wikipedia and gives the introductions of the ${RESULTS} best articles with their addresses. Read a whole article with fetch_url.`,
    category: 'network',
    traits: { kind: 'web', doing: 'Searching', counted: 'search' },
    input,
    title: ({ query }) => `Search Wikipedia for “${query}”`,
    permission: ({ language }) => ({ tool: SERVICE.tool, category: 'network', host: hostOf(language) }),
    async run({ query, language }, context) {
      const url = new URL(`https://${hostOf(language)}/w/api.php`);
      const fixed = { action: 'query', format: 'json', formatversion: '2', generator: 'search', prop: 'extracts|info' };
      const extracts = { exintro: '1', explaintext: '1', exlimit: 'max', inprop: 'url', redirects: '1' };
      const asked = { ...fixed, ...extracts, gsrsearch: query, gsrlimit: String(RESULTS) };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      const said = answer.safeParse(jsonIn(await askService(SERVICE, { url: url.href }, { web, context })));
      if (!said.success) throw notUnderstood(SERVICE);
      const pages = [...(said.data.query?.pages ?? [])].sort((one, other) => one.index - other.index);
      const results = pages.map(({ title, fullurl, extract = '' }) => ({ title, url: fullurl, text: extract }));
      return resultsOutput(SERVICE, query, results);
    },
  });
}

function hostOf(language = 'en'): string {
  return `${language}.wikipedia.org`;
}
