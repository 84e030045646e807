import { safeLine, safeText } from '../../../base/shown/safeText';
import * as z from '../../../base/zod';
import type { Question, QuestionAnswer } from '../../events/agentEvent';
import { type FieldValue, type FormField, readForm } from './formFields';

/** The answer sent to a server's question. */
export interface ServerAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, FieldValue>;
}

export interface AnswerParts {
  /** The server's name, for display. */
  server: string;
  /** Asks the user. Rejects only with AbortError. */
  ask: (question: Pick<Question, 'question' | 'kind' | 'options' | 'server'>) => Promise<QuestionAnswer>;
  /** Shows a line with the call during which the server asks. */
  report: (line: string) => void;
  /** Opens a page in the user's browser; resolves to false if it was not opened. Undefined: users open pages themselves. */
  openPage: ((address: string) => Promise<boolean>) | undefined;
}

const asked = z.looseObject({
  mode: z.optional(z.string()),
  message: z.string(),
  requestedSchema: z.optional(z.unknown()),
  url: z.optional(z.string()),
});

const MAX_MESSAGE = 4000;
/** A user who gets a field wrong this often does not want to answer it. */
const MAX_TRIES = 5;

const ANSWER = 'Answer';
const SEND = 'Send';
const AGAIN = 'Answer again';
const DECLINE = 'Decline';
const DISMISS = 'Dismiss';

/** Words that suggest a secret, which no form may ask for. */
const SECRET = /passw|passphrase|passcode|\bpin\b|secret|token|credential|api.?key|private.?key|cvv|kennwort/i;

/**
 * Asks the user a server's question, marked as the server's words: a form field by field, with a review before it is sent; a page
 * with its full address before it is opened. A question that cannot be asked is declined, with the reason shown at the call.
 * Rejects only with AbortError.
 */
export async function answerServer(question: unknown, parts: AnswerParts): Promise<ServerAnswer> {
  const parsed = asked.safeParse(question);
  if (!parsed.success) return declined('it is malformed', parts);
  const { mode = 'form', message, requestedSchema, url = '' } = parsed.data;
  if (message.length > MAX_MESSAGE) {
    return declined(`it has ${message.length} characters, more than ${MAX_MESSAGE}`, parts);
  }
  if (mode === 'url') return askForPage(message, url, parts);
  if (mode !== 'form') return declined(`the mode “${safeLine(mode, 40)}” is not supported`, parts);
  const fields = readForm(requestedSchema);
  if (typeof fields === 'string') return declined(fields, parts);
  return askForm(message, fields, parts);
}

/** Declines, with the reason shown at the call. */
function declined(why: string, { server, report }: Pick<AnswerParts, 'server' | 'report'>): ServerAnswer {
  report(`The question of the MCP server ${nameOf(server)} was declined: ${why}.\n`);
  return { action: 'decline' };
}

async function askForPage(message: string, url: string, parts: AnswerParts): Promise<ServerAnswer> {
  const address = readPageAddress(url);
  if (typeof address === 'string') return declined(address, parts);
  const { openPage } = parts;
  const agree = openPage ? 'Open the page' : 'I opened the page';
  const text = [
    `The MCP server ${nameOf(parts.server)} wants you to open a page on ${address.host}. ${address.warning}`.trim(),
    'Cairn has not checked it. The full address:',
    quoted(address.href),
    'The server says:',
    quoted(message),
  ].join('\n');
  const answer = await choose(text, [agree, DECLINE, DISMISS], parts);
  if (answer !== agree) return refused(answer, parts);
  if (openPage && !(await openPage(address.href))) return { action: 'cancel' };
  return { action: 'accept' };
}

async function askForm(message: string, fields: readonly FormField[], parts: AnswerParts): Promise<ServerAnswer> {
  const text = [
    `The MCP server ${nameOf(parts.server)} has a question, in its own words:`,
    quoted(message),
    ...fields.map(({ words }) => quoted(`• ${words.split('\n')[0] ?? ''}`)),
    ...(fields.some(isSecret) || SECRET.test(message) ? [SECRET_WARNING] : []),
  ].join('\n');
  const first = await choose(text, [fields.length > 0 ? ANSWER : SEND, DECLINE, DISMISS], parts);
  if (first !== ANSWER && first !== SEND) return refused(first, parts);
  for (;;) {
    const content = await askFields(fields, parts);
    if (!content) return refused(undefined, parts);
    if (fields.length === 0) return { action: 'accept', content: {} };
    const lines = Object.entries(content).map(([name, value]) =>
      quoted(`${safeLine(name, 100)}: ${safeLine(String(value), 500)}`),
    );
    const look = [`This goes to the MCP server ${nameOf(parts.server)}:`, ...(lines.length > 0 ? lines : ['nothing'])];
    const last = await choose(look.join('\n'), [SEND, AGAIN, DECLINE, DISMISS], parts);
    if (last === SEND) return { action: 'accept', content };
    if (last !== AGAIN) return refused(last, parts);
  }
}

const SECRET_WARNING =
  'Caution: it seems to ask for a secret, which servers may not do in a form. Do not enter one here.';

function isSecret({ name, words }: FormField): boolean {
  return SECRET.test(name) || SECRET.test(words);
}

/** Undefined if no one answers, or no one answers correctly. */
async function askFields(
  fields: readonly FormField[],
  parts: AnswerParts,
): Promise<Record<string, FieldValue> | undefined> {
  const entries: [string, FieldValue][] = [];
  for (const [at, field] of fields.entries()) {
    const read = await askField(field, `${at + 1} of ${fields.length}`, parts);
    if (!read) return undefined;
    if (read.value !== undefined) entries.push([field.name, read.value]);
  }
  return Object.fromEntries(entries);
}

async function askField(field: FormField, place: string, { ask, server }: AnswerParts) {
  let problem = '';
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const head = `The MCP server ${nameOf(server)} asks (${place}):`;
    const notes = [problem, field.hint, isSecret(field) ? SECRET_WARNING : ''].filter((one) => one !== '');
    const question = [head, quoted(field.words), ...notes].join('\n');
    const answer = await ask({ question, kind: field.kind, options: field.options, server });
    if (answer.kind === 'nobody') return undefined;
    const read = field.read(answer.texts);
    if (read.ok) return read;
    problem = `That is not a valid answer. ${read.problem}`;
  }
  return undefined;
}

/** Undefined if no one is there. An answer that was not offered is ignored and the question asked again. */
async function choose(
  question: string,
  options: readonly string[],
  { ask, server }: AnswerParts,
): Promise<string | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await ask({ question, kind: 'choice', options, server });
    if (answer.kind === 'nobody') return undefined;
    const [text = ''] = answer.texts;
    if (options.includes(text)) return text;
  }
  return DISMISS;
}

function refused(answer: string | undefined, parts: AnswerParts): ServerAnswer {
  if (answer === undefined) return declined('nobody answered it', parts);
  return { action: answer === DECLINE ? 'decline' : 'cancel' };
}

function nameOf(server: string): string {
  return `“${safeLine(server, 100, 'exact')}”`;
}

/** Adds a margin, so that no line can pass for Cairn's own text. */
function quoted(text: string): string {
  return safeText(text)
    .split('\n')
    .map((line) => `│ ${line}`)
    .join('\n');
}

/** A page that the user may be asked to open. */
interface PageAddress {
  /** The full address, in plain ASCII. */
  readonly href: string;
  readonly host: string;
  /** A sentence about the host for the user, or empty. */
  readonly warning: string;
}

const MAX_ADDRESS = 2000;

/** Returns the address that a server wants opened, or why the user is not asked to open it. */
function readPageAddress(text: string): PageAddress | string {
  const url = text.length <= MAX_ADDRESS && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'its address is not valid, or too long to show';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere(url))) {
    return `its address starts with ${url.protocol.slice(0, 20)}, but only https: is opened`;
  }
  if (url.username !== '' || url.password !== '') return 'its address has a name or a password before the host';
  const { href, host } = url;
  if (href.length > MAX_ADDRESS) return 'its address is too long to show';
  const isForeign = host.split('.').some((label) => label.startsWith('xn--'));
  const warning = isForeign ? 'Caution: the host name contains letters that look like others.' : '';
  return { href, host, warning };
}

function isHere({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
