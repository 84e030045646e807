/**
 * A model server that answers immediately, so that only the cost of the calling program remains. It streams Chat Completions at
 * `/run/ID/TURNS/v1`: while the conversation contains fewer than TURNS results, it answers with a tool call (read a file, list a
 * folder, or run `true`, in turn), then with 200 words. `GET /run/ID` returns a report of the requests. Prints its address when
 * it is ready and exits when its standard input ends.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileName, folderName } from '../benchWorkspace';
import type { ModelReport } from './modelReport';

const FINAL_WORDS = 200;
const WORDS_IN_CHUNK = 4;

interface ChatBody {
  messages: { role: string; content?: unknown }[];
  tools?: { function: { name: string } }[];
}

/** The kinds of turn: the names of the tool in each program, its input, and the part of a result that proves that it ran. */
const KINDS = [
  { names: ['fs_read', 'read_file'], input: (turn: number) => ({ path: fileName(turn) }), proof: 'export function f' },
  { names: ['fs_ls', 'list_dir'], input: (turn: number) => ({ path: folderName(turn) }), proof: 'mod9.ts' },
  { names: ['execute_command', 'shell'], input: () => ({ command: 'true' }), proof: '' },
] as const;

const reports = new Map<string, ModelReport>();

function reportOf(id: string): ModelReport {
  const report = reports.get(id) ?? {
    requests: 0,
    finals: 0,
    failedCalls: 0,
    firstBytes: 0,
    lastBytes: 0,
    allBytes: 0,
  };
  reports.set(id, report);
  return report;
}

function isChatBody(value: unknown): value is ChatBody {
  return typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);
}

function kindOf(turn: number) {
  return KINDS[turn % KINDS.length] ?? KINDS[0];
}

function failed({ messages }: ChatBody, results: number): boolean {
  const last = messages.at(-1);
  if (results === 0 || last?.role !== 'tool' || typeof last.content !== 'string') return false;
  return !last.content.includes(kindOf(results - 1).proof) || /not allowed|denied|refused/i.test(last.content);
}

function chooseCall({ tools = [] }: ChatBody, turn: number) {
  const { names, input } = kindOf(turn);
  const name = names.find((each) => tools.some((tool) => tool.function.name === each));
  if (name === undefined) throw new Error(`The program offers none of the tools ${names.join(', ')}.`);
  return { name, arguments: JSON.stringify(input(turn)) };
}

function pieces(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}

function finalText(): string {
  return Array.from({ length: FINAL_WORDS }, (_, index) => `word${index % 10} `).join('');
}

function answer(response: ServerResponse, turn: number, call: { name: string; arguments: string } | undefined): void {
  const base = { id: `chatcmpl-${turn}`, object: 'chat.completion.chunk', created: 1_700_000_000, model: 'mock' };
  const send = (value: object): unknown => response.write(`data: ${JSON.stringify({ ...base, ...value })}\n\n`);
  const chunk = (delta: object, finish: string | null = null): unknown =>
    send({ choices: [{ index: 0, delta, finish_reason: finish }] });
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  chunk({ role: 'assistant', content: '' });
  if (call) {
    const head = { index: 0, id: `call_${turn}`, type: 'function', function: { name: call.name, arguments: '' } };
    chunk({ tool_calls: [head] });
    for (const piece of pieces(call.arguments, 3)) {
      chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
    }
  } else {
    for (const piece of pieces(finalText(), FINAL_WORDS / WORDS_IN_CHUNK)) chunk({ content: piece });
  }
  chunk({}, call ? 'tool_calls' : 'stop');
  send({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 } });
  response.end('data: [DONE]\n\n');
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, id, turns] = /^\/run\/([^/]+)(?:\/(\d+)\/v1\/chat\/completions)?$/.exec(request.url ?? '') ?? [];
  if (id === undefined) {
    response.writeHead(404).end();
    return;
  }
  const report = reportOf(id);
  if (turns === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(report));
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  const text = Buffer.concat(parts);
  const body: unknown = JSON.parse(text.toString());
  if (!isChatBody(body)) throw new Error('Not a chat request');
  const results = body.messages.filter(({ role }) => role === 'tool').length;
  const call = results < Number(turns) ? chooseCall(body, results) : undefined;
  report.requests++;
  report.finals += call ? 0 : 1;
  report.failedCalls += failed(body, results) ? 1 : 0;
  report.firstBytes ||= text.length;
  report.lastBytes = text.length;
  report.allBytes += text.length;
  answer(response, results, call);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.on('end', () => process.exit(0)).resume();
