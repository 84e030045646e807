import { type AssistantMessage, type Message, textOf, toolCallsOf, type UserMessage } from '../../../messages/message';
import type { ToolResult } from '../../../messages/toolCall';
import { callInput } from '../../sdk/sentParts';
import * as texts from './tourTexts';

/** One reply of the tour. */
interface TourStep {
  /** Markdown. */
  text: string;
  calls: readonly TourCall[];
}

interface TourCall {
  name: string;
  input: Record<string, unknown>;
}

/** The tour's progress, derived from the conversation alone. */
class TourHistory {
  private readonly since: readonly Message[];
  /** The user's last message. Steering messages and automatic continuations do not count. */
  readonly prompt: string;
  /** True if there was no user message before `prompt`. */
  readonly isFirst: boolean;

  constructor(messages: readonly Message[]) {
    const prompts = messages.filter((one): one is UserMessage => one.role === 'user' && !one.steering);
    const last = prompts.at(-1);
    this.prompt = last ? textOf(last) : '';
    this.isFirst = prompts.length <= 1;
    this.since = last ? messages.slice(messages.indexOf(last) + 1) : messages;
  }

  /** Complete replies since the prompt. A reply that was cut off is repeated. */
  get replies(): number {
    return this.assistantMessages().filter(({ finish }) => finish !== 'cut-off').length;
  }

  /** Returns the last result of any of the named tools. */
  resultOf(...names: readonly string[]): ToolResult | undefined {
    return this.since
      .flatMap((message) => (message.role === 'tool' ? message.results : []))
      .findLast(({ name }) => names.includes(name));
  }

  /** Returns the path passed to a result's call. */
  pathOf(result: ToolResult | undefined): string | undefined {
    const calls = this.assistantMessages().flatMap(toolCallsOf);
    const call = calls.find(({ id }) => id === result?.callId);
    const path = call && callInput(call)['path'];
    return typeof path === 'string' ? path : undefined;
  }

  private assistantMessages(): AssistantMessage[] {
    return this.since.filter((one): one is AssistantMessage => one.role === 'assistant');
  }
}

const TOUR_FILE = 'cairn-tour.md';
const TOUR_LINE = 'This line was added on a tour of Cairn, and can go at any time.';
const TOUR_CONTENTS = `# Cairn was here

This file was written on a scripted tour of Cairn. You can delete it at any time.
`;

interface ProposedEdit {
  kind: 'add' | 'remove' | 'create';
  path: string;
  call: TourCall;
}

const TEXT_FILE =
  /\.(md|txt|json|jsonc|ya?ml|toml|ini|cfg|[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|sh|lua|html|css|scss|sql|xml)$/i;

const LARGEST_BYTES = 200_000;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['kB', 1000],
  ['MB', 1_000_000],
]);
/** The steps of the tour, in order. Each depends only on the conversation. */
const STEPS: readonly ((history: TourHistory) => TourStep)[] = [greet, readFile, edit, runCommand, ask, close];

/** Returns the tour's next step. The first message starts it, and so does any later one that contains the word "tour". */
export function nextTourStep(messages: readonly Message[]): TourStep {
  const history = new TourHistory(messages);
  const plays = history.isFirst || /\btour\b/i.test(history.prompt);
  const step = plays ? STEPS[history.replies] : undefined;
  return step ? step(history) : { text: texts.NO_MODEL, calls: [] };
}

function greet(): TourStep {
  const calls = [
    { name: 'todo__init', input: { todos: texts.TODOS } },
    { name: 'fs_ls', input: { path: '.' } },
  ];
  return { text: texts.GREETING, calls };
}

function readFile(history: TourHistory): TourStep {
  const listing = history.resultOf('fs_ls');
  const path = listing?.status === 'ok' ? pickFile(listing.text) : undefined;
  if (path === undefined) return { text: texts.NOTHING_TO_READ, calls: [todoDone(1)] };
  return { text: texts.readingText(path), calls: [{ name: 'fs_read', input: { path } }] };
}

function edit(history: TourHistory): TourStep {
  const read = history.resultOf('fs_read');
  const text = read?.status === 'ok' ? read.text : undefined;
  const { kind, path, call } = proposeEdit(history.pathOf(read), text);
  // Without a file to read, the first to-do was already marked done.
  return { text: texts.editText(kind, path), calls: read ? [todoDone(1), call] : [call] };
}

function runCommand(history: TourHistory): TourStep {
  const result = history.resultOf('fs_edit', 'fs_write');
  const path = history.pathOf(result) ?? 'the file';
  const done = `Accepted, thank you. \`${path}\` is changed.`;
  const outcome = outcomeText(result, done, `So \`${path}\` stays as it is.`);
  const calls = [todoDone(2), { name: 'execute_command', input: { command: texts.COMMAND } }];
  return { text: `${outcome}\n\n${texts.COMMAND_TEXT}`, calls };
}

function ask(history: TourHistory): TourStep {
  const outcome = outcomeText(
    history.resultOf('execute_command'),
    'The command ran, and its output stays in its card.',
    'So nothing was run.',
  );
  const calls = [
    todoDone(3),
    { name: 'user__ask', input: { question: texts.QUESTION, options: [...texts.ANSWERS.keys()] } },
  ];
  return { text: `${outcome}\n\n${texts.QUESTION_TEXT}`, calls };
}

function close(history: TourHistory): TourStep {
  const read = history.pathOf(history.resultOf('fs_read'));
  const changed = history.resultOf('fs_edit', 'fs_write');
  const path = history.pathOf(changed) ?? 'a file';
  const ran = history.resultOf('execute_command')?.status === 'ok';
  const done = [
    read === undefined ? 'listed this folder' : `listed this folder and read \`${read}\``,
    changed?.status === 'ok'
      ? `changed \`${path}\` with your approval`
      : `proposed a change to \`${path}\` and left it`,
    ran ? 'ran a command in a real shell' : 'left a command unrun',
    'kept a to-do list all the while',
  ];
  const list = done.map((one) => `- ${one}`).join('\n');
  return { text: `${answerText(history)}\n\nOn this tour I\n\n${list}\n\n${texts.HOW_TO_GO_ON}`, calls: [] };
}

function answerText(history: TourHistory): string {
  const result = history.resultOf('user__ask');
  const answer = result?.status === 'ok' ? /answered: ([\s\S]+)$/.exec(result.text)?.[1]?.trim() : undefined;
  if (answer === undefined) return 'Nobody answered, and that is fine: an agent then says what it assumed and goes on.';
  return texts.ANSWERS.get(answer) ?? `You answered: “${answer}”. A real model would take it from here.`;
}

function todoDone(id: number) {
  return { name: 'todo__done', input: { id } };
}

/** Picks a text file worth reading from the output of `fs_ls`: the readme, then package.json, then the first small one. */
function pickFile(listing: string): string | undefined {
  const names = listing.split('\n').flatMap(textFileIn);
  return (
    names.find((name) => /^readme\.md$/i.test(name)) ??
    names.find((name) => name === 'package.json') ??
    // Skip hidden files: they are settings at best and secrets at worst.
    names.find((name) => !name.startsWith('.'))
  );
}

/** A row is a name, followed for large or empty files by two spaces and a size. */
function textFileIn(row: string): string[] {
  const {
    name = '',
    size = '1',
    unit = 'B',
  } = /^(?<name>.+?)(?: {2}(?<size>[\d.]+) (?<unit>B|kB|MB))?$/.exec(row)?.groups ?? {};
  if (!TEXT_FILE.test(name)) return [];
  const bytes = Number(size) * (UNITS.get(unit) ?? 0);
  return bytes > 0 && bytes <= LARGEST_BYTES ? [name] : [];
}

/** Describes how a step went, in a sentence. `done` and `undone` say what the outcome means for this step. */
function outcomeText(result: ToolResult | undefined, done: string, undone: string): string {
  switch (result?.status) {
    case 'ok':
      return done;
    case 'rejected':
      return `${refusal(result.text)} ${undone}`;
    case 'error':
      return `That did not work: ${firstLine(result.text)} ${undone}`;
    case 'cancelled':
    case undefined:
      return `That was interrupted. ${undone}`;
  }
}

function refusal(text: string): string {
  const reason = /\bsaid: ([\s\S]+)$/.exec(text)?.[1]?.trim();
  if (reason) return `You said: “${firstLine(reason)}”`;
  if (/nobody/i.test(text)) return 'Nobody was there to be asked.';
  return text.startsWith('Not allowed') ? 'A rule forbids it.' : 'You refused it.';
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/**
 * Proposes a small change: adds a line under the first heading of a Markdown file, removes the line of an earlier tour, or, where
 * neither is safe, creates a separate file. `read`: the output of `fs_read`.
 */
function proposeEdit(path: string | undefined, read: string | undefined): ProposedEdit {
  const lines = read === undefined ? [] : numberedLines(read);
  if (path !== undefined && /\.md$/i.test(path)) {
    const text = lines.join('\n');
    if (occurrences(text, `\n\n${TOUR_LINE}`) === 1) return tourEdit('remove', path, `\n\n${TOUR_LINE}`, '');
    const heading = lines.find((line) => /^#{1,6} \S/.test(line));
    const isUnique = heading !== undefined && occurrences(text, heading) === 1;
    if (isUnique && !text.includes(TOUR_LINE)) return tourEdit('add', path, heading, `${heading}\n\n${TOUR_LINE}`);
  }
  const call = { name: 'fs_write', input: { path: TOUR_FILE, contents: TOUR_CONTENTS } };
  return { kind: 'create', path: TOUR_FILE, call };
}

function tourEdit(kind: 'add' | 'remove', path: string, before: string, after: string): ProposedEdit {
  return { kind, path, call: { name: 'fs_edit', input: { path, old_string: before, new_string: after } } };
}

function numberedLines(read: string): string[] {
  return read.split('\n').flatMap((row) => /^\s*\d+\t(.*)$/.exec(row)?.[1] ?? []);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
