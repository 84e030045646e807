import type { ChildProcess } from 'node:child_process';
import { constants, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { EngineError, type ScriptCall, type ScriptEnd, type ScriptRunner } from '../../engine';
import { runChild } from '../processes/nodeProcessRunner';
import { commandEnvironment } from '../secretVariables';
import { type ScriptProgram, scriptProgram, type ScriptPrograms } from './scriptProgram';

/** Maximum size of a result, in bytes. */
const MOST_RESULT = 1_000_000;
/** How much of the end of the output is kept, in characters. */
const MOST_PRINTED = 30_000;
/** A larger graph state is passed in a file. In bytes. */
const MOST_STATE = 32_768;
/** Longer values are not passed in the environment, whose size the system limits. In characters. */
const MOST_VARIABLE = 100_000;

/**
 * Matches a NUL escape in JSON, but not an escaped backslash followed by `u0000`. A graph's state may contain one, since it is
 * passed as JSON.
 */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** Runs scripts as separate processes, with `env` minus its secrets. */
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
  /** The folder for the script's input and output files, absolute. */
  folder: string;
  /** The input. */
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

/** Returns the variables for a graph's script, which gets the state instead of arguments. Variables of an outer graph are unset. */
function graphVariables({ folder, json }: Place): NodeJS.ProcessEnv {
  const isShort = Buffer.byteLength(json) <= MOST_STATE;
  return {
    GRAPH_STATE: isShort ? json : undefined,
    GRAPH_STATE_FILE: isShort ? undefined : path.join(folder, 'arguments.json'),
    AUTO_CONFIRM: 'true',
  };
}

/** Reads the result file. The script may have replaced it by anything, such as a pipe, which would block opening. */
async function resultIn(folder: string): Promise<Pick<ScriptEnd, 'result' | 'isCut'>> {
  // The flag is undefined on platforms without it, and has no effect there.
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

/** Kinds of questions, as written by `prompt-utils.sh`. */
const KINDS: ReadonlySet<string> = new Set(['confirm', 'input', 'choice', 'checkbox']);
/** Longer lines are not questions. */
const MOST = 100_000;

type Asked = Parameters<ScriptCall['ask']>[0];

/**
 * Passes questions that a script writes to descriptor 3, one per line, to the user, and the answers to descriptor 4. Invalid
 * questions are answered as if there were no user.
 */
function answerQuestions(child: ChildProcess, ask: ScriptCall['ask']): void {
  const [, , , questions, answers] = child.stdio;
  if (!(questions instanceof Readable) || !(answers instanceof Writable)) return;
  // The script may have exited.
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
  // Rejects when the run is canceled, which also ends the script.
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
