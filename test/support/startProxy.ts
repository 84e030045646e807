import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy on this machine. */
export interface TestProxy {
  readonly port: number;
  /** The requests in order: `GET http://host/path` or `CONNECT host:port`, and their proxy credentials. */
  readonly asked: { what: string; signIn: string | undefined }[];
  close(): Promise<void>;
}

/** `refuses`: the status of every answer; with 0, tunnel requests are left unanswered. All host names resolve to this machine. */
export async function startProxy(refuses?: number): Promise<TestProxy> {
  const asked: TestProxy['asked'] = [];
  const sockets = new Set<Duplex>();
  const note = ({ method = '', url = '', headers }: IncomingMessage) => {
    asked.push({ what: `${method} ${url}`, signIn: headers['proxy-authorization'] });
  };
  const server = createServer((incoming, response) => {
    note(incoming);
    if (refuses === undefined) forward(incoming, response);
    else response.writeHead(refuses).end();
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (incoming, socket: Duplex) => {
    note(incoming);
    socket.on('error', () => socket.destroy());
    if (refuses === 0) return;
    if (refuses !== undefined) return socket.end(`HTTP/1.1 ${refuses} No\r\nContent-Length: 0\r\n\r\n`);
    const far = connect(Number(new URL(`http://${incoming.url ?? ''}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    sockets.add(far);
    far.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  return { port: address.port, asked, close };
}

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', headers } = incoming;
  const { port, pathname } = new URL(incoming.url ?? '');
  const onward = request({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
}
