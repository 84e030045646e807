import { createServer } from 'node:http';

interface SmallPage {
  title: string;
  /** HTML. */
  body: string;
}

export interface SmallWeb {
  /** Without a trailing slash. */
  url: string;
  /** The environment variables that search tools need. */
  environment: Readonly<Record<string, string>>;
  /** The requested paths, including search terms. */
  asked: string[];
  close(): Promise<void>;
}

/** Serves pages on this machine and a search that finds every page containing one of the words. */
export async function startSmallWeb(pages: Readonly<Record<string, SmallPage>>): Promise<SmallWeb> {
  const asked: string[] = [];
  let url = '';
  const server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const query = searchParams.get('q');
    asked.push(query === null ? pathname : `${pathname} ${query}`);
    if (pathname === '/search' && query !== null) {
      const words = query.toLowerCase().split(/\s+/);
      const results = Object.entries(pages)
        .filter(([, { title, body }]) => words.some((word) => `${title} ${body}`.toLowerCase().includes(word)))
        .map(([path, { title, body }]) => ({ title, url: url + path, content: body.replace(/<[^>]*>/g, '') }));
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
      return;
    }
    const page = pages[pathname];
    const text = page ? `<html><title>${page.title}</title><body>${page.body}</body></html>` : '';
    answer.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url,
    environment: { SEARXNG_URL: url },
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Allows fetching pages from this machine, which only a rule that names it does. */
export const FETCHES_HERE = {
  tool: 'fetch_url',
  action: 'allow',
  argument: { kind: 'host', pattern: '127.0.0.1' },
} as const;
