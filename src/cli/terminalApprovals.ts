import { counted } from '../base/counted';
import { diffRows } from '../base/shown/diffRows';
import { safeLine } from '../base/shown/safeText';
import { brokenRows, type ShownLine, shownLines, type ShownText } from '../base/shown/shownLines';
import type {
  ApprovalAnswer,
  ApprovalHandler,
  ApprovalRequest,
  Question,
  QuestionAnswer,
  QuestionKind,
  UserPrompter,
} from '../engine';
import type { Terminal } from './terminal';

/** Asks for approvals on the terminal. */
export function terminalApprovals(terminal: Terminal): ApprovalHandler {
  return {
    ask: (request, signal) => terminal.turns.take(() => askForApproval(terminal, request, signal), signal),
  };
}

async function askForApproval(terminal: Terminal, request: ApprovalRequest, signal: AbortSignal) {
  const { lines, warning } = approvalDetails(request);
  terminal.say('');
  terminal.say(`${safeLine(request.agent)}: ${safeLine(request.title, TITLE, 'exact')}`);
  const refused = await showWhole(terminal, marginLines(lines, terminal.size().columns), signal);
  if (refused) return toAnswer('no', request);
  if (warning !== null) terminal.say(warning);
  terminal.say(safeLine(request.reason, REASON));
  request.offers.forEach((offer, index) => terminal.say(`  a${index + 1}  always: ${safeLine(offer.label, REASON)}`));
  const answer = await terminal.ask('Allow it? [y]es, [n]o, a1… for always, or a reason why not: ', signal);
  // End of input is not an answer, so it rejects.
  return toAnswer(answer ?? 'no', request);
}

const TITLE = 200;
const REASON = 1000;

/**
 * Shows lines page by page if they do not fit the screen, so that nothing scrolls by unseen. Returns true if the user rejected
 * before the end.
 */
async function showWhole(terminal: Terminal, lines: readonly string[], signal: AbortSignal): Promise<boolean> {
  const { rows } = terminal.size();
  const page = rows > 0 ? Math.max(5, rows - 3) : lines.length;
  for (let at = 0; at < lines.length; at += page) {
    if (at > 0) {
      const answer = await terminal.ask(
        `${counted(lines.length - at, 'more line')}. Press Enter to show them, or n to reject: `,
        signal,
      );
      if (answer === undefined || /^no?$/i.test(answer)) return true;
    }
    for (const line of lines.slice(at, at + page)) terminal.say(line);
  }
  return false;
}

/** Rejects whatever would need to be asked, because there is no user, and reports it. */
export function nobodyApprovals(hint: string, say: Terminal['say']): ApprovalHandler {
  return {
    ask({ agent, title, reason }) {
      say(`  ${safeLine(agent)} would have asked: ${safeLine(title, REASON)}? ${safeLine(reason, REASON)} ${hint}`);
      return Promise.resolve({ kind: 'reject', by: 'nobody', reason: hint });
    },
  };
}

export function terminalPrompter(terminal: Terminal): UserPrompter {
  return {
    ask: (question, signal) => terminal.turns.take(() => askQuestion(terminal, question, signal), signal),
  };
}

async function askQuestion(
  terminal: Terminal,
  { agent, question, kind, options }: Question,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const [first, ...more] = shownLines(question, 'prose').lines;
  terminal.say('');
  terminal.say(`${safeLine(agent)} asks: ${first?.text ?? ''}`);
  for (const line of marginLines(more, terminal.size().columns)) terminal.say(line);
  options.forEach((option, index) => terminal.say(`  ${index + 1}  ${safeLine(option, REASON)}`));
  const answer = await terminal.ask(ANSWER_PROMPTS[kind], signal);
  if (answer === undefined) return { kind: 'nobody' };
  if (kind === 'confirm') return { kind: 'answered', texts: [/^y(es)?$/i.test(answer) ? 'yes' : 'no'] };
  const chosen = kind === 'checkbox' ? answer.split(/[\s,]+/).filter((one) => one !== '') : [answer];
  return { kind: 'answered', texts: chosen.map((one) => options[Number(one) - 1] ?? one) };
}

const ANSWER_PROMPTS: Record<QuestionKind, string> = {
  choice: 'A number, or your own answer: ',
  checkbox: 'The numbers you choose, or none: ',
  confirm: '[y]es or [n]o: ',
  input: 'Your answer: ',
};

export function nobodyPrompter(say: Terminal['say']): UserPrompter {
  return {
    isNobody: true,
    ask({ agent, question }) {
      say(`  ${safeLine(agent)} would have asked: ${safeLine(question, REASON)}`);
      return Promise.resolve({ kind: 'nobody' });
    },
  };
}

/** Returns everything the call would do, in displayable form. */
export function approvalDetails({ diff, command, title }: ApprovalRequest): ShownText {
  if (command !== null) return shownLines(command, 'exact');
  const path = shownLines(diff?.path ?? title, 'exact');
  if (!diff) return { ...path, lines: title.length > TITLE || path.warning !== null ? path.lines : [] };
  const { rows, warning } = diffRows(diff.hunks);
  const lines = rows.map((row): ShownLine => {
    if (row.kind === 'gap') return { text: '…', isNote: true };
    if (row.kind === 'blanks') return { text: `${row.sign} +${row.count} lines, all blank`, isNote: true };
    return { text: `${row.sign}${row.text}`, isNote: false };
  });
  return { lines: [...path.lines, ...lines], warning: warning ?? path.warning };
}

function toAnswer(text: string, { offers }: ApprovalRequest): ApprovalAnswer {
  if (/^y(es)?$/i.test(text)) return { kind: 'once' };
  const offer = /^a\d+$/i.test(text) ? offers[Number(text.slice(1)) - 1] : undefined;
  if (offer) return { kind: 'always', offer };
  if (/^(no?)?$/i.test(text)) return { kind: 'reject', by: 'person' };
  return { kind: 'reject', by: 'person', reason: text };
}

const LINE = '  │ ';

/** Marks a line that continues the one above only because of the screen's width. */
const GOES_ON = '  ↪ ';

const NOTE = '  ⋮ ';

/**
 * Puts lines behind a margin, wrapping them here rather than on the screen, so that none can pass for one of Cairn's. Without a
 * width they are not wrapped.
 */
function marginLines(lines: readonly ShownLine[], columns: number): string[] {
  const width = Math.max(20, columns - LINE.length - 1);
  return lines.flatMap(({ text, isNote }) => {
    if (isNote) return [NOTE + text];
    const rows = columns > 0 ? brokenRows(text.replaceAll('\t', '    '), width) : [text];
    return rows.map((row, at) => (at === 0 ? LINE : GOES_ON) + row);
  });
}
