import * as z from '../../../base/zod';
import type { Web } from '../../ports';
import { type AnyTool, defineTool } from '../tool';

const input = z.strictObject({ url: z.string().check(z.minLength(1)) });
type Input = z.infer<typeof input>;

/** `fetch_url`: returns a web page as Markdown, a text, or an image. Its implementation is loaded on first use. */
export function fetchUrlTool(web: Web): AnyTool {
  return defineTool<Input>({
    name: 'fetch_url',
    description: 'Fetches an http(s) URL: a page as Markdown, text and JSON unchanged, or a picture.',
    category: 'network',
    traits: { kind: 'web', doing: 'Fetching', counted: 'page' },
    input,
    title: ({ url }) => `Fetch ${url}${otherHost(url)}`,
    permission: ({ url }) => ({ tool: 'fetch_url', category: 'network', host: hostOf(url) }),
    run: async ({ url }, context) => (await import('./pageText')).fetchPage(url.trim(), web, context),
  });
}

/** Returns an empty string for an invalid address; fetching that fails with a message. */
function hostOf(url: string): string {
  return URL.canParse(url.trim()) ? new URL(url.trim()).hostname : '';
}

/** Returns the host that answers if the address does not begin with it as written: `https://known.example@other.example/`. */
function otherHost(url: string): string {
  const host = hostOf(url);
  const written = url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  const isPlain = written.startsWith(host) && /^(:\d*)?([/?#]|$)/.test(written.slice(host.length));
  return host === '' || isPlain ? '' : ` (from ${host})`;
}
