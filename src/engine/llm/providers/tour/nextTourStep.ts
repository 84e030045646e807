import type { Message } from '../../../messages/message';
import { outcomeText } from './outcomeText';
import { pickFile } from './pickFile';
import { proposeEdit } from './proposeEdit';
import { TourHistory } from './tourHistory';
import type { TourStep } from './tourStep';
import * as texts from './tourTexts';

/** The tour in order; each step knows only what the conversation shows. */
const STEPS: readonly ((history: TourHistory) => TourStep)[] = [greet, readFile, edit, runCommand, ask, close];

/** What the tour does next. The first message starts it, and any later one with the word "tour" in it. */
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
  // Without a file to read the first to-do is done already.
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
