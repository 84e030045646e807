import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Deferred } from '../../../src/base/async';
import { errorText } from '../../../src/base/errors';
import { chatRequest } from './chatRequest';
import { chatVoice } from './chatVoice';
import { messagesRequest } from './messagesRequest';
import { messagesVoice } from './messagesVoice';
import type { ModelRequest, RequestMessage } from './modelRequest';
import { playStep, type Voice } from './player';
import { RefusedRequest } from './refusedRequest';
import { responsesRequest } from './responsesRequest';
import { responsesVoice } from './responsesVoice';
import { SseStream } from './sseStream';
import { isWhenStep, type Step, type StepFailure, type Story, type StoryStep, type WhenStep } from './story';
import { vendorError } from './vendorError';

export interface ModelServerOptions {
  /** The only accepted key; default `test-key`. Empty: no key may be sent. */
  key?: string;
  /** The models that exist; others get status 404. Default: any model is accepted. */
  models?: readonly string[];
  /** The response of `/models`, if it contains more than ids. */
  listing?: readonly object[];
  /** Makes the server an Ollama too. Maps the name of a model to its capabilities. */
  ollama?: Readonly<Record<string, readonly string[]>>;
}

type Answer = { request: ModelRequest; includeUsage: boolean; encrypts: boolean };

const DIALECTS: Readonly<Record<string, ModelRequest['dialect']>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
};

/** A model that follows a story, over the wire formats of both vendors. Use `startModelServer`. */
export class ModelServer {
  /** All well-formed requests, in order, except those for a step that is aside. */
  readonly requests: ModelRequest[] = [];
  private readonly steps: StoryStep[];
  private readonly holds = new Map<string, Deferred<void>>();
  private readonly arrivals: { count: number; arrived: Deferred<void> }[] = [];

  constructor(
    private readonly story: Story,
    private readonly options: ModelServerOptions,
    private readonly server: Server = createServer(),
  ) {
    this.steps = story.flatMap((step) => (isWhenStep(step) ? [] : [step]));
    this.server.on('request', (incoming, response) => void this.handle(incoming, response));
  }

  /** The base URL for both vendors' providers; ends in `/v1`. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The model server is not listening');
    return address.port;
  }

  /** Releases the step that waits, or will wait, at this hold. */
  release(name: string): void {
    this.holdOf(name).resolve();
  }

  /** Resolves once this many well-formed requests have arrived. */
  untilRequests(count: number): Promise<void> {
    const arrived = new Deferred<void>();
    this.arrivals.push({ count, arrived });
    this.announceArrivals();
    return arrived.promise;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** Replaces this model with one that has another story, at the same address. This one no longer answers. */
  handOver(story: Story): ModelServer {
    for (const hold of this.holds.values()) hold.resolve();
    this.server.removeAllListeners('request');
    this.server.closeAllConnections();
    return new ModelServer(story, this.options, this.server);
  }

  /** Closes all connections, including hanging ones. */
  close(): Promise<void> {
    for (const hold of this.holds.values()) hold.resolve();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = DIALECTS[incoming.url ?? ''];
    const dialect = known ?? (incoming.url?.endsWith('/messages') ? 'messages' : 'chat');
    const hungUp = new Deferred<void>();
    const answered = new Deferred<void>();
    response.on('close', () => (response.writableFinished ? answered : hungUp).resolve());
    try {
      const text = await bodyOf(incoming);
      if (!this.isKnownKey(incoming)) {
        sendError(response, dialect, 401, 'Incorrect API key provided.');
        return;
      }
      if (incoming.method === 'GET' && incoming.url?.endsWith('/models')) {
        this.listModels(response);
        return;
      }
      if (this.options.ollama && incoming.url?.startsWith('/api/')) {
        answerOllama(incoming.url, text, this.options.ollama, response);
        return;
      }
      if (!known) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
        return;
      }
      await this.answer(
        readRequest(dialect, incoming, text, { hungUp: hungUp.promise, answered: answered.promise }),
        response,
      );
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      sendError(response, dialect, error instanceof RefusedRequest ? 400 : 500, errorText(error));
    }
  }

  private async answer(answer: Answer, response: ServerResponse): Promise<void> {
    const { request } = answer;
    const { dialect, model } = request;
    const special = this.story.filter(isWhenStep).find(({ when }) => when(request));
    if (special?.isAside !== true) this.requests.push(request);
    this.announceArrivals();
    if (this.options.models?.includes(model) === false) {
      const message = dialect === 'messages' ? `model: ${model}` : `The model \`${model}\` does not exist`;
      sendError(response, dialect, 404, message);
      return;
    }
    const step = this.stepFor(request, special);
    step.expect?.(request);
    if (refusesToStream(step.fail)) {
      sendFailure(response, dialect, step.fail);
      return;
    }
    const stream = new SseStream(response);
    await playStep(step, voiceFor(answer, step, stream), stream, (name) =>
      Promise.race([this.holdOf(name).promise, request.hungUp]),
    );
  }

  private stepFor(request: ModelRequest, special: WhenStep | undefined): Step {
    const chosen = special?.step ?? this.steps.shift();
    if (!chosen) throw new Error(`The story has no step for request ${this.requests.length}: ${request.lastText}`);
    return typeof chosen === 'function' ? chosen(request) : chosen;
  }

  private isKnownKey({ headers }: IncomingMessage): boolean {
    const given = headers.authorization?.replace(/^Bearer /, '') ?? headers['x-api-key'];
    return (given ?? '') === (this.options.key ?? 'test-key');
  }

  private listModels(response: ServerResponse): void {
    const ids = this.options.models ?? ['test-model'];
    const data =
      this.options.listing ??
      ids.map((id) => ({ id, object: 'model', type: 'model', display_name: id, created: 1_700_000_000 }));
    sendJson(response, 200, { object: 'list', data, has_more: false });
  }

  private holdOf(name: string): Deferred<void> {
    const hold = this.holds.get(name) ?? new Deferred<void>();
    this.holds.set(name, hold);
    return hold;
  }

  private announceArrivals(): void {
    for (const { count, arrived } of this.arrivals) if (this.requests.length >= count) arrived.resolve();
  }
}

/** Starts a scripted model on a free local port. */
export async function startModelServer(story: Story, options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = new ModelServer(story, options);
  await server.listen();
  return server;
}

function readRequest(
  dialect: ModelRequest['dialect'],
  { headers }: IncomingMessage,
  text: string,
  ends: Pick<ModelRequest, 'hungUp' | 'answered'>,
): Answer {
  const body: unknown = JSON.parse(text);
  // Node writes this escape only for an unpaired surrogate.
  if (/(?<!\\)\\u[dD][89a-fA-F]/.test(text)) throw new RefusedRequest('The body is not valid JSON: no low surrogate.');
  if (dialect === 'messages' && headers['anthropic-version'] === undefined) {
    throw new RefusedRequest('anthropic-version: header is required');
  }
  const asked = { includeUsage: true, encrypts: false, ...READERS[dialect](body) };
  const { includeUsage, encrypts, ...read } = asked;
  const request = { dialect, headers, body, ...read, lastText: lastTextOf(read.messages), ...ends };
  return { includeUsage, encrypts, request };
}

interface ReadRequest extends Pick<ModelRequest, 'model' | 'messages' | 'tools'> {
  includeUsage?: boolean;
  encrypts?: boolean;
}

const READERS: Record<ModelRequest['dialect'], (body: unknown) => ReadRequest> = {
  chat: chatRequest,
  responses: responsesRequest,
  messages: messagesRequest,
};

function voiceFor({ request, includeUsage, encrypts }: Answer, step: Step, stream: SseStream): Voice {
  switch (request.dialect) {
    case 'chat':
      return chatVoice(stream, request.model, includeUsage);
    case 'responses':
      return responsesVoice(stream, request.model, encrypts);
    case 'messages':
      return messagesVoice(stream, request.model, step.usage);
  }
}

function answerOllama(
  path: string,
  text: string,
  models: NonNullable<ModelServerOptions['ollama']>,
  response: ServerResponse,
): void {
  if (path === '/api/tags') {
    sendJson(response, 200, { models: Object.keys(models).map((name) => ({ name, size: 1 })) });
    return;
  }
  const capabilities = Object.entries(models).find(([name]) => text.includes(`"${name}"`))?.[1];
  if (path === '/api/show' && capabilities) sendJson(response, 200, { capabilities });
  else sendJson(response, 404, { error: 'model not found' });
}

function lastTextOf(messages: readonly RequestMessage[]): string {
  const last = messages.at(-1);
  return last ? [...last.results.map(({ text }) => text), ...(last.role === 'tool' ? [] : [last.text])].join('\n') : '';
}

type EarlyFailure = Extract<StepFailure, object | 'html' | 'hang'>;

function refusesToStream(fail: StepFailure | undefined): fail is EarlyFailure {
  return typeof fail === 'object' || fail === 'html' || fail === 'hang';
}

function sendFailure(response: ServerResponse, dialect: ModelRequest['dialect'], fail: EarlyFailure): void {
  if (fail === 'hang') return;
  if (fail === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
    return;
  }
  const { status, body = vendorError(dialect, status, 'The story says no.'), headers } = fail;
  if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
  else sendJson(response, status, body, headers);
}

function sendError(response: ServerResponse, dialect: ModelRequest['dialect'], status: number, message: string): void {
  sendJson(response, status, vendorError(dialect, status, message), { 'x-should-retry': 'false' });
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers?: Readonly<Record<string, string>>) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  incoming.setEncoding('utf8');
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}
