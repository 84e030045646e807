import { createServer, type IncomingMessage } from 'node:http';
import type { Web } from '../../src/engine';

export interface AskedOf {
  host: string;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface ServiceAnswer {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface WebServices {
  /** The requests in order. */
  asked: AskedOf[];
  url: string;
  /** The same web, with every host name leading to this server. */
  around(web: Web): Web;
  close(): Promise<void>;
}

/** A real server in place of all web services. `answer` receives the host that was requested. */
export async function startWebServices(answer: (asked: AskedOf) => ServiceAnswer): Promise<WebServices> {
  const asked: AskedOf[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://x');
      const [, host = '', ...path] = url.pathname.split('/');
      const one = {
        ...{ host, method: request.method ?? '', path: `/${path.join('/')}`, query: url.searchParams },
        ...{ headers: request.headers, body: Buffer.concat(chunks).toString() },
      };
      asked.push(one);
      const { status = 200, headers = {}, body = '' } = answer(one);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    asked,
    url,
    around: (web) => ({
      ...web,
      get(request, signal) {
        const meant = new URL(request.url);
        const allowsPrivate = () => Promise.resolve(true);
        return web.get(
          { ...request, allowsPrivate, url: `${url}/${meant.host}${meant.pathname}${meant.search}` },
          signal,
        );
      },
    }),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
