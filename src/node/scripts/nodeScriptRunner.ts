import type { ChildProcess } from 'node:child_process';
import { constants, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { EngineError, type ScriptCall, type ScriptEnd, type ScriptRunner } from '../../engine';
import { runChild } from '../processes/runChild';
import { commandEnvironment } from '../secretVariables';
import { type ScriptProgram, scriptProgram, type ScriptPrograms } from './scriptProgram';

/** So much of a result is read. Bytes. */
const MOST_RESULT = 1_000_000;
/** So much of the end of what it prints is kept. Characters. */
const MOST_PRINTED = 30_000;
/** The state of a graph that is longer is in a file. Bytes. */
const MOST_STATE = 32_768;
/** What is longer is not handed over in the environment, where the system has a limit. */
const MOST_VARIABLE = 100_000;

/** In JSON, where a backslash may itself be written. A state is given as JSON, so it may hold one. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** Runs scripts as programs of their own, with `env` less its secrets. */
export function nodeScriptRunner(env: NodeJS.ProcessEnv, programs: ScriptPrograms): ScriptRunner {
  return {
    async run(call, signal) {
      const json = JSON.stringify(call.input);
      if (call.kind !== 'graph' && NUL.test(json)) {
        throw new EngineError('invalid-input', 'A value contains a NUL character, which cannot be passed to a script.');
      }
      const folder = await mkdtemp(path.join(tmpdir(), 'cairn-tool-'));
      try {
        const program = scriptProgram(call, folder, programs);
        const files = [...program.files, ['result', ''], ['arguments.json', json]] as const;
        await Promise.all(files.map(([name, text]) => writeFile(path.join(folder, name), text, { mode: 0o600 })));
        return await carryOut(call, program, { folder, json, env, assets: programs.assets }, signal);
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

interface Place {
  /** Absolute, with what it reads and writes. */
  folder: string;
  /** What it is given. */
  json: string;
  env: NodeJS.ProcessEnv;
  assets: string;
}

async function carryOut(
  call: ScriptCall,
  program: ScriptProgram,
  place: Place,
  signal: AbortSignal,
): Promise<ScriptEnd> {
  const isGraph = call.kind === 'graph';
  let printed = '';
  let printedLength = 0;
  let errors = '';
  const request = {
    file: program.file,
    args: program.args,
    cwd: call.workspace,
    env: environmentOf(call, program, place),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const,
    onStart: (child: Parameters<typeof answerQuestions>[0]) => answerQuestions(child, call.ask),
    onOutput: (chunk: string, from: 'stdout' | 'stderr') => {
      if (from === 'stdout') {
        printedLength += chunk.length;
        printed = endOf(printed + chunk, isGraph ? MOST_RESULT : MOST_PRINTED);
      } else errors = endOf(errors + chunk, MOST_PRINTED);
      call.onOutput(chunk);
    },
  };
  try {
    const { exitCode, signal: endedBy } = await runChild({ ...request, stdio: [...request.stdio] }, signal);
    if (isGraph && printedLength > MOST_RESULT && exitCode === 0) {
      const remedy = 'Write long output to a file, and print its path.';
      throw new EngineError(
        'invalid-input',
        `${call.script.path} printed more than 1 MB, the limit for a graph. ${remedy}`,
      );
    }
    return { exitCode, signal: endedBy, printed, errors, ...(await resultIn(place.folder)) };
  } catch (error) {
    if (isAbort(error) || EngineError.is(error)) throw error;
    throw new EngineError(
      'io',
      `${call.script.path} could not be started with ${program.file}: ${errorText(error)}. Is it installed?`,
      { cause: error },
    );
  }
}

function environmentOf(call: ScriptCall, program: ScriptProgram, place: Place): NodeJS.ProcessEnv {
  const { folder, json, env, assets } = place;
  const base = commandEnvironment(env);
  const own = Object.fromEntries(call.environment);
  const isGraph = call.kind === 'graph';
  const raw = isGraph || json.length > MOST_VARIABLE ? {} : { LLM_TOOL_RAW_JSON: json, LLM_AGENT_RAW_JSON: json };
  const folders = call.programFolders.join(path.delimiter);
  const programs = folders === '' ? {} : { PATH: `${folders}${path.delimiter}${base['PATH'] ?? ''}` };
  return {
    ...base,
    ...program.environment,
    ...programs,
    ...own,
    ...raw,
    ...(isGraph && graphVariables(place)),
    LLM_OUTPUT: path.join(folder, 'result'),
    LLM_TOOL_DATA_FILE: path.join(folder, 'arguments.json'),
    LLM_PROMPT_UTILS_FILE: path.join(assets, 'prompt-utils.sh'),
  };
}

function endOf(text: string, most: number): string {
  return text.length > most ? text.slice(-most) : text;
}

/** A script of a graph has no arguments, but the state; what an outer graph said of its own is not for it. */
function graphVariables({ folder, json }: Place): NodeJS.ProcessEnv {
  const isShort = Buffer.byteLength(json) <= MOST_STATE;
  return {
    GRAPH_STATE: isShort ? json : undefined,
    GRAPH_STATE_FILE: isShort ? undefined : path.join(folder, 'arguments.json'),
    AUTO_CONFIRM: 'true',
  };
}

/** The file may have become anything meanwhile, such as a pipe, at which opening would wait. */
async function resultIn(folder: string): Promise<Pick<ScriptEnd, 'result' | 'isCut'>> {
  // Where there is no such flag it says nothing.
  const { O_RDONLY, O_NONBLOCK } = constants;
  const file = await open(path.join(folder, 'result'), O_RDONLY | O_NONBLOCK).catch(() => undefined);
  if (!file) return { result: '', isCut: false };
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return { result: '', isCut: false };
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(stat.size, MOST_RESULT)), 0);
    return { result: buffer.toString('utf8', 0, bytesRead), isCut: stat.size > MOST_RESULT };
  } finally {
    await file.close();
  }
}

/** What a script asks with, as `prompt-utils.sh` writes it. */
const KINDS: ReadonlySet<string> = new Set(['confirm', 'input', 'choice', 'checkbox']);
/** More is no question. */
const MOST = 100_000;

type Asked = Parameters<ScriptCall['ask']>[0];

/**
 * Carries the questions that a script writes to its descriptor 3, a line each, to a person, and their answers to its
 * descriptor 4. What is no question is answered as if nobody was there.
 */
function answerQuestions(child: ChildProcess, ask: ScriptCall['ask']): void {
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
