import type { Transport } from '@modelcontextprotocol/client';
import { answerFlaw, isJsonObject, type JsonObject, MALFORMED } from './answerFlaw';
import type { Coalescer } from './coalescer';
import { FloodLimit, MOST_UNASKED } from './floodLimit';

export type Message = Parameters<Transport['send']>[0];
export type Id = string | number;

interface IncomingParts {
  /** The SDK's own check. */
  isMessage: (value: unknown) => value is Message;
  /** Called once, with a sentence that says why the server has to be stopped. */
  onFlood: (why: string) => void;
  /** Called for each log message that is not passed on. */
  onLogLeftOut: () => void;
}

/** Where messages go: those of a program to the SDK, those of a response into what the SDK reads. */
export interface MessageSink {
  pass: (message: Message) => void;
  /** For messages that replace earlier ones. Its messages go to the same place. */
  latest: Coalescer<Message>;
  /** The requests that the response belongs to, if there is one. */
  own?: readonly Id[];
}

/** After this many in a minute, the SDK no longer sees them: each costs it far more time than it costs the server. */
const MOST_PASSED = 1200;
const MOST_REQUESTS = 100;

/** A line that was meant as a message, though it is not JSON, and its id. */
const LIKE_A_MESSAGE = /^\s*[[{][^]*"(?:jsonrpc|result|error)"/;
const ID_IN_IT = /"id"\s*:\s*(?:(-?\d+)|"([^"\\]{1,200})")/;
const NAMELESS = 'that does not say which request it belongs to';
const LIST_CHANGED = /^notifications\/(?:tools|resources|prompts)\/list_changed$/;

/**
 * Checks all messages of one server before the SDK sees them, because it drops malformed answers, so that their requests would
 * wait until they time out, and because each message costs it far more time than it costs the server.
 */
export class IncomingMessages {
  private readonly open = new Map<string, Id>();
  /** How many answers came that do not say which request they belong to. */
  private lost = 0;
  private readonly flood: FloodLimit;

  constructor(private readonly parts: IncomingParts) {
    this.flood = new FloodLimit(() => {
      parts.onFlood(
        `It was stopped, because it sent more than ${MOST_UNASKED.toLocaleString('en')} messages within a minute that nobody asked for.`,
      );
    });
  }

  /** Registers a message to the server. Returns the id if it is a request. */
  sent(message: unknown): readonly Id[] {
    if (!isJsonObject(message)) return [];
    const { id, method, params } = message;
    if (method === 'notifications/cancelled' && isJsonObject(params)) this.open.delete(String(params['requestId']));
    if (typeof method !== 'string' || !isId(id)) return [];
    this.open.set(String(id), id);
    return [id];
  }

  /** Forgets requests that could not be sent. */
  forget(ids: readonly Id[]): void {
    for (const id of ids) this.open.delete(String(id));
  }

  /** Passes on the messages in a line or an event from the server, as far as they are needed, and an error for each malformed answer. */
  heard(text: string, sink: MessageSink): void {
    if (this.flood.isOver) return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.notJson(text, sink);
      return;
    }
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of all) this.judge(one, text.length / all.length, sink);
  }

  /** Answers, with errors, the requests of a response that has ended. */
  ended(sink: MessageSink, flaw: string): void {
    for (const id of sink.own ?? []) if (this.open.has(String(id))) this.refuse(id, flaw, sink);
  }

  private judge(value: unknown, size: number, sink: MessageSink): void {
    if (this.flood.isOver) return;
    if (!isJsonObject(value)) this.flood.add(size);
    else if ('method' in value) this.unasked(value, size, sink);
    else if ('result' in value || 'error' in value || isId(value['id'])) this.answer(value, size, sink);
    else this.flood.add(size);
  }

  private answer(answer: JsonObject, size: number, sink: MessageSink): void {
    const { id } = answer;
    const asked = isId(id) ? this.open.get(String(id)) : undefined;
    if (asked === undefined) {
      this.flood.add(size);
      if (!isId(id)) this.lose(sink);
      return;
    }
    const flaw = answerFlaw(answer);
    if (flaw !== undefined) this.refuse(asked, flaw, sink);
    else if (!this.parts.isMessage(answer)) this.refuse(asked, 'that is not valid', sink);
    else {
      this.settle(asked, sink);
      sink.pass(answer);
    }
    this.settleLost(sink);
  }

  /** Handles a notification or a request of the server. */
  private unasked(message: JsonObject, size: number, sink: MessageSink): void {
    const count = this.flood.add(size);
    // Each answer to a request over HTTP is a request of its own.
    const mostPassed = 'id' in message && sink.own ? MOST_REQUESTS : MOST_PASSED;
    const { method, params } = message;
    const subject = typeof method === 'string' ? this.subjectOf(method, params) : undefined;
    if (subject === undefined && count > mostPassed) {
      if (method === 'notifications/message') this.parts.onLogLeftOut();
      return;
    }
    if (subject === '') return;
    if (!this.parts.isMessage(message)) this.refuseRequest(message, sink);
    else if (subject === undefined) sink.pass(message);
    else sink.latest.add(subject, message);
  }

  /** Leaves only what the SDK answers with an error, because a server waits for an answer to a malformed request, too. */
  private refuseRequest({ id, method }: JsonObject, sink: MessageSink): void {
    const request = { jsonrpc: '2.0', id, method: typeof method === 'string' ? method : 'unknown' };
    if (isId(id) && this.parts.isMessage(request)) sink.pass(request);
  }

  /** Returns what a message is about if it replaces earlier ones; empty if it is about nothing; undefined if it does not. */
  private subjectOf(method: string, params: unknown): string | undefined {
    if (LIST_CHANGED.test(method)) return method;
    if (method !== 'notifications/progress') return undefined;
    const token = isJsonObject(params) ? params['progressToken'] : undefined;
    return isId(token) && this.open.has(String(token)) ? progressOf(token) : '';
  }

  private notJson(text: string, sink: MessageSink): void {
    this.flood.add(text.length);
    if (!LIKE_A_MESSAGE.test(text)) return;
    const [, number, name] = ID_IN_IT.exec(text) ?? [];
    const asked = this.open.get(number ?? name ?? '');
    if (asked !== undefined) this.refuse(asked, 'that is not valid JSON', sink);
    else if (!text.includes('"method"')) this.lose(sink);
    this.settleLost(sink);
  }

  /** Handles an answer that does not say which request it belongs to. */
  private lose(sink: MessageSink): void {
    const mine = sink.own?.find((id) => this.open.has(String(id)));
    if (mine !== undefined) this.refuse(mine, NAMELESS, sink);
    else this.lost++;
    this.settleLost(sink);
  }

  /** Once no more requests are open than such answers came, none of them will be answered. */
  private settleLost(sink: MessageSink): void {
    if (this.lost < this.open.size) return;
    if (this.lost > 0) for (const id of this.open.values()) this.refuse(id, NAMELESS, sink);
    this.lost = 0;
  }

  private refuse(id: Id, flaw: string, sink: MessageSink): void {
    this.settle(id, sink);
    sink.pass({ jsonrpc: '2.0', id, error: { code: MALFORMED, message: `It sent an answer ${flaw}.` } });
  }

  private settle(id: Id, sink: MessageSink): void {
    this.open.delete(String(id));
    sink.latest.forget(progressOf(id));
  }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isInteger(value);
}

function progressOf(id: Id): string {
  return `progress of ${id}`;
}
