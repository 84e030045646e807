import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import type { ScriptCall } from '../../engine';

/** What a script asks with, as `prompt-utils.sh` writes it. */
const KINDS: ReadonlySet<string> = new Set(['confirm', 'input', 'choice', 'checkbox']);
/** More is no question. */
const MOST = 100_000;

type Asked = Parameters<ScriptCall['ask']>[0];

/**
 * Carries the questions that a script writes to its descriptor 3, a line each, to a person, and their answers to its
 * descriptor 4. What is no question is answered as if nobody was there.
 */
export function answerQuestions(child: ChildProcess, ask: ScriptCall['ask']): void {
  const [, , , questions, answers] = child.stdio;
  if (!(questions instanceof Readable) || !(answers instanceof Writable)) return;
  // A script that is gone hears nothing more.
  answers.on('error', () => undefined);
  let pending = '';
  let answering = Promise.resolve();
  questions.setEncoding('utf8').on('data', (chunk: string) => {
    pending += chunk;
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    if (pending.length > MOST) questions.destroy();
    for (const line of lines) answering = answering.then(() => answerOne(line, ask, answers));
  });
}

async function answerOne(line: string, ask: ScriptCall['ask'], answers: Writable): Promise<void> {
  const question = questionIn(line);
  // Rejected when the run is cancelled, which ends the script.
  const answer = await (question && line.length <= MOST ? ask(question) : undefined)?.catch(() => undefined);
  if (answers.destroyed) return;
  const said = answer?.kind === 'answered' ? ['answered', ...answer.texts.map(encoded)].join('\t') : 'nobody';
  answers.write(`${said}\n`);
}

function questionIn(line: string): Asked | undefined {
  const [kind = '', ...parts] = line.split('\t');
  const [question, ...options] = parts.map((part) => Buffer.from(part, 'base64').toString('utf8'));
  if (question === undefined || !isKind(kind)) return undefined;
  return { kind, question, options };
}

function isKind(kind: string): kind is Asked['kind'] {
  return KINDS.has(kind);
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
