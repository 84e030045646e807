import * as z from 'zod/mini';
import type { Disposable } from '../base/disposable';
import type { HostEvent } from './hostEvent';
import { contextItem, messageItems } from './messageItem';

const request = z.object({ kind: z.literal('request'), id: z.int(), method: z.string(), params: z.unknown() });
const response = z.discriminatedUnion('ok', [
  z.object({ kind: z.literal('response'), id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ kind: z.literal('response'), id: z.int(), ok: z.literal(false), error: z.string() }),
]);
function isEvent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** `firstSeq` numbers the first of `events`; the others follow without a gap. */
const events = z.object({
  kind: z.literal('events'),
  sessionId: z.string(),
  firstSeq: z.int(),
  events: z.array(z.custom<HostEvent>(isEvent)),
});
/**
 * The host shows another session in this panel: the panel asks `chat/open` for it. What lies over the chat stays, as the list
 * in which the shown session was deleted; with `focus-composer` after it the person is brought to the chat.
 */
const showSession = z.object({ kind: z.literal('show-session'), sessionId: z.string() });
/** The host asks the panel to put the keyboard focus into the composer, also from under the list of sessions. */
const focusComposer = z.object({ kind: z.literal('focus-composer') });
/** The host asks the panel to send these along with the message that is being typed. */
const addItems = z.object({ kind: z.literal('add-items'), items: messageItems });

/** What the person looks at in the editor, which the panel offers to send along; null for nothing. */
const nearby = z.object({ kind: z.literal('nearby'), item: z.nullable(contextItem) });

/** The host asks the panel to open a part of it that is closed by itself. */
const showPart = z.object({ kind: z.literal('show-part'), part: z.enum(['find', 'sessions']) });

/** The person pressed a key of the editor that answers what waits: the panel answers what they can have seen, and shows the rest. */
const answerWaiting = z.object({ kind: z.literal('answer-waiting'), answer: z.enum(['once', 'reject']) });
/** The next thing that waits gets the focus, else the composer. */
const goOn = z.object({ kind: z.literal('go-on') });

const toHost = request;
const toPanel = z.union([
  response,
  events,
  showSession,
  focusComposer,
  addItems,
  nearby,
  showPart,
  answerWaiting,
  goOn,
]);

export type RequestEnvelope = z.infer<typeof request>;
export type ResponseEnvelope = z.infer<typeof response>;
export type EventsEnvelope = z.infer<typeof events>;
export type PanelEnvelope = z.infer<typeof toPanel>;

/** A message of the panel, or undefined when it is none of ours. */
export function parseRequestEnvelope(message: unknown): RequestEnvelope | undefined {
  return z.safeParse(toHost, message).data;
}

/** A message of the host, or undefined when it is none of ours (the editor posts some of its own). */
export function parsePanelEnvelope(message: unknown): PanelEnvelope | undefined {
  return z.safeParse(toPanel, message).data;
}

/** One end of the wire between host and panel. Messages arrive in order or not at all. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}
