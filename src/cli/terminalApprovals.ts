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

/** Approvals as questions on the terminal. */
export function terminalApprovals(terminal: Terminal): ApprovalHandler {
  return {
    ask: (request, signal) => terminal.turns.take(() => askForApproval(terminal, request, signal), signal),
  };
}

async function askForApproval(terminal: Terminal, request: ApprovalRequest, signal: AbortSignal) {
  terminal.say('');
  terminal.say(`${request.agent}: ${request.title}`);
  for (const line of details(request)) terminal.say(line);
  terminal.say(request.reason);
  request.offers.forEach((offer, index) => terminal.say(`  a${index + 1}  always: ${offer.label}`));
  const answer = await terminal.ask('Allow it? [y]es, [n]o, a1… for always, or a reason why not: ', signal);
  // An end of input is no answer, and nothing happens without one.
  return toAnswer(answer ?? 'no', request);
}

/** Refuses whatever would have to be asked, because nobody is there, and says what that was. */
export function nobodyApprovals(hint: string, say: Terminal['say']): ApprovalHandler {
  return {
    ask({ agent, title, reason }) {
      say(`  ${agent} would have asked: ${title}? ${reason} ${hint}`);
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
  terminal.say('');
  terminal.say(`${agent} asks: ${question}`);
  options.forEach((option, index) => terminal.say(`  ${index + 1}  ${option}`));
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
    ask({ agent, question }) {
      say(`  ${agent} would have asked: ${question}`);
      return Promise.resolve({ kind: 'nobody' });
    },
  };
}

function details({ diff, command }: ApprovalRequest): string[] {
  if (command !== null) return [`$ ${command}`];
  return diff ? diff.hunks.flatMap(({ oldStart, lines }) => [`@@ line ${oldStart}`, ...lines]) : [];
}

function toAnswer(text: string, { offers }: ApprovalRequest): ApprovalAnswer {
  if (/^y(es)?$/i.test(text)) return { kind: 'once' };
  const offer = /^a\d+$/i.test(text) ? offers[Number(text.slice(1)) - 1] : undefined;
  if (offer) return { kind: 'always', offer };
  if (/^(no?)?$/i.test(text)) return { kind: 'reject', by: 'person' };
  return { kind: 'reject', by: 'person', reason: text };
}
