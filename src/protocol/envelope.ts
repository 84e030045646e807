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

/** `firstSeq` numbers the first of `events`; the others follow without gaps. */
const events = z.object({
  kind: z.literal('events'),
  sessionId: z.string(),
  firstSeq: z.int(),
  events: z.array(z.custom<HostEvent>(isEvent)),
});
/**
 * The host shows another session in this panel, so the panel requests `chat/open` for it. Whatever covers the chat stays open,
 * such as the list in which the previous session was deleted; a following `focus-composer` brings the user to the chat.
 */
const showSession = z.object({ kind: z.literal('show-session'), sessionId: z.string() });
/** The host asks the panel to focus the composer, even if the list of sessions covers it. */
const focusComposer = z.object({ kind: z.literal('focus-composer') });
/** The host asks the panel to attach these to the message being typed. */
const addItems = z.object({ kind: z.literal('add-items'), items: messageItems });

/** What the user is looking at in the editor, which the panel offers to attach; null for nothing. */
const nearby = z.object({ kind: z.literal('nearby'), item: z.nullable(contextItem) });

/** The host asks the panel to open a part that is closed by default. */
const showPart = z.object({ kind: z.literal('show-part'), part: z.enum(['find', 'sessions']) });

/** The user pressed an editor key that answers a pending request. The panel answers what the user can have seen, and shows the rest. */
const answerWaiting = z.object({ kind: z.literal('answer-waiting'), answer: z.enum(['once', 'reject']) });
/** Focuses the next pending request, or else the composer. */
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
export type EventsEnvelope = z.infer<typeof events>;
export type PanelEnvelope = z.infer<typeof toPanel>;

/** Parses a message from the panel; undefined if it is not one of Cairn's. */
export function parseRequestEnvelope(message: unknown): RequestEnvelope | undefined {
  return z.safeParse(toHost, message).data;
}

/** Parses a message from the host; undefined if it is not one of Cairn's (the editor posts some too). */
export function parsePanelEnvelope(message: unknown): PanelEnvelope | undefined {
  return z.safeParse(toPanel, message).data;
}

/** One end of the connection between host and panel. Messages arrive in order or not at all. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}
