import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { errorText } from '../base/errors';
import { nearest } from '../base/matching';
import {
  type AgentSession,
  type ApprovalMode,
  attachFile,
  type Attachment,
  attachPage,
  brokenFile,
  decodeText,
  type Engine,
  EngineError,
  type ExpandedCommand,
  type FileSystem,
  type PathStyle,
  problemLine,
  type RunRequest,
  TEMPORARY_SESSION,
  titleFrom,
  type UserInput,
  type Web,
} from '../engine';
import { exitStatus, UsageError } from './exitStatus';
import { type OutputStreams, runOutput } from './output';
import type { ApproveChoice, CliArguments } from './parseArguments';

export const APPROVAL_MODES: Record<ApproveChoice, ApprovalMode> = {
  ask: 'edits-and-commands',
  edits: 'commands',
  all: 'nothing',
  none: 'edits-and-commands',
};

export interface PromptRun {
  engine: Engine;
  args: CliArguments;
  approve: ApproveChoice;
  folder: string;
  /** Absent to continue a graph run. */
  input: UserInput | undefined;
  graphRun?: NonNullable<RunRequest['graphRun']>;
  streams: OutputStreams;
  /** Calls `cancel` when the user or the system wants the run to end. */
  onInterrupt(cancel: () => void): void;
}

/** Returns the run options given by the arguments. */
export function runOptions(args: CliArguments) {
  const limits = {
    ...(args.maxTurns !== undefined && { turns: args.maxTurns }),
    ...(args.maxTimeMs !== undefined && { timeMs: args.maxTimeMs }),
    ...(args.maxCostUsd !== undefined && { costUsd: args.maxCostUsd }),
  };
  return {
    limits,
    variables: args.variables,
    ...(args.mode !== undefined && { workMode: args.mode }),
    ...(args.agent !== undefined && { agent: args.agent }),
    ...(args.role !== undefined && { role: args.role }),
    ...(args.model !== undefined && { model: args.model }),
    ...(args.effort !== undefined && { effort: args.effort }),
  };
}

/** Runs a prompt to its end and returns the exit status. */
export async function runPrompt(run: PromptRun): Promise<number> {
  const { engine, args, input, streams } = run;
  const approvalMode = APPROVAL_MODES[run.approve];
  await checkNames(run);
  const session = await openSession(run, approvalMode);
  const { mode, sessionRole } = args;
  if (sessionRole !== undefined && session.messages.length === 0) await session.configure({ role: sessionRole });
  if (mode !== undefined && session.metadata.workMode !== mode) await session.configure({ workMode: mode });
  await loadSkills(session, args.skills);
  const command = await engine.typed.expand(input?.text ?? '', { sessionId: session.id, workspace: run.folder });
  for (const note of command?.notes ?? []) streams.err(`cairn: ${note}\n`);
  if (!command) await tellUnknownCommand(run);
  if (command?.skill !== undefined) await loadSkills(session, [command.skill]);
  const { limits, ...options } = runOptions(args);
  // Options of the command line override those of the command.
  const asked = { sessionId: session.id, ...command?.run, ...options };
  const model = await modelOf(engine, asked);
  if (args.maxCostUsd !== undefined && model !== null && !engine.describeModel(model).prices) {
    throw new UsageError(
      `the prices of ${model} are not known, so --max-cost cannot be enforced. Use --max-turns or --max-time.`,
    );
  }
  // A role's answer is extracted from the whole text, so it cannot be streamed.
  const role = args.role ?? session.metadata.role;
  const streamed = role === null || (await engine.role(role)).answer === 'text';
  const output = runOutput(args.output, { ...streams, outIsTerminal: streams.outIsTerminal && streamed });
  const said = input !== undefined && { input: withCommand(input, command) };
  const going = run.graphRun && { graphRun: run.graphRun };
  const handle = engine.run({ ...asked, ...going, ...(model !== null && { model }), ...said, approvalMode, limits });
  handle.subscribe((event) => output.onEvent(event));
  run.onInterrupt(() => handle.cancel());
  const outcome = await handle.outcome;
  output.finish(outcome, { sessionId: session.id, model });
  return exitStatus(outcome);
}

/** Says that a message only looks like a command: a typo would otherwise go unnoticed and still cost a request. */
async function tellUnknownCommand({ engine, input, streams }: PromptRun): Promise<void> {
  const [, name] = /^\/([\w:.-]+)(?=\s|$)/.exec(input?.text ?? '') ?? [];
  if (name === undefined) return;
  const meant = nearest(
    name,
    (await engine.typed.list()).map((one) => one.name),
  );
  const hint = meant === undefined ? '' : ` Did you mean “/${meant}”?`;
  streams.err(`cairn: there is no command or skill “${name}”, so the line is sent as a message.${hint}\n`);
}

/** Attaches a command's prompt to what the user typed. */
function withCommand(input: UserInput, command: ExpandedCommand | undefined): UserInput {
  if (!command) return input;
  return { ...input, attachments: [command.attachment, ...(input.attachments ?? [])] };
}

/** Returns null without a key. The run then fails with the usual error. */
async function modelOf(engine: Engine, asked: Parameters<Engine['modelFor']>[0]): Promise<string | null> {
  try {
    return await engine.modelFor(asked);
  } catch (error) {
    if (EngineError.is(error, 'no-key')) return null;
    throw error;
  }
}

/** Checks the names before a session is created for them. */
async function checkNames({ engine, args }: PromptRun): Promise<void> {
  const { agent, role = args.sessionRole, variables } = args;
  if (agent !== undefined || role !== undefined)
    await engine.modelFor({
      ...(agent !== undefined && { agent }),
      ...(role !== undefined && { role }),
      variables,
      model: '',
    });
  const known = args.skills.length === 0 ? [] : (await engine.skills.list()).map(({ name }) => name);
  const missing = args.skills.find((name) => !known.includes(name));
  if (missing === undefined) return;
  const broken = brokenFile(missing, await engine.skills.problems());
  if (broken) throw new UsageError(`the skill “${missing}” cannot be used. ${problemLine(broken)}`);
  const meant = nearest(missing, known);
  throw new UsageError(
    `there is no skill “${missing}”. ${meant === undefined ? 'See cairn --list skills.' : `Did you mean “${meant}”?`}`,
  );
}

async function loadSkills(session: AgentSession, names: readonly string[]): Promise<void> {
  const { skills } = session.metadata;
  const fresh = names.filter((name) => !skills.includes(name));
  if (fresh.length > 0) await session.configure({ skills: [...skills, ...fresh] });
}

async function openSession(
  { engine, args, folder, input }: PromptRun,
  approvalMode: ApprovalMode,
): Promise<AgentSession> {
  const { sessions } = engine;
  const fresh = {
    workspace: folder,
    model: args.model ?? null,
    agent: args.agent ?? null,
    approvalMode,
    title: titleFrom(input?.text ?? ''),
  };
  if (args.session === undefined) {
    const name = await sessionOfAgent(engine, args.agent);
    return name === undefined ? sessions.create({ ...fresh, name: null }) : sessions.openNamed(name, fresh);
  }
  if (args.session !== '') return inFolder(await sessions.openOrCreate(args.session, fresh), folder);
  const newest = (await sessions.list()).find(({ workspace, parent }) => workspace === folder && !parent);
  return newest ? sessions.open(newest.id) : sessions.create({ ...fresh, name: null });
}

/**
 * Throws if a session belongs to another folder. An id may name a session of any folder, and a run works in its session's folder,
 * so nothing may be done in a folder that the user did not name.
 */
async function inFolder(session: AgentSession, folder: string): Promise<AgentSession> {
  const { workspace } = session.metadata;
  // The session was recovered without its workspace.
  if (workspace === '') await session.configure({ workspace: folder });
  if (workspace === '' || workspace === folder) return session;
  throw new UsageError(
    `session ${session.id} belongs to ${workspace}, not to ${folder}. Continue it with -C ${workspace}.`,
  );
}

/** Returns the session that an agent continues every time, if it has one. */
async function sessionOfAgent(engine: Engine, agent: string | undefined): Promise<string | undefined> {
  if (agent === undefined) return undefined;
  const { sessionName } = await engine.agent(agent);
  return sessionName === TEMPORARY_SESSION ? undefined : sessionName;
}

/**
 * Returns the prompt with standard input appended. A socket on standard input is read only when there is no other prompt, because
 * programs started by another program often get a socket that nothing writes to. Throws UsageError when the input is not text.
 */
export async function readInput(prompt: string): Promise<string> {
  const piped = isFed(prompt === '') ? textOf(await buffer(process.stdin)).trim() : '';
  return [prompt.trim(), piped].filter((part) => part !== '').join('\n\n');
}

/** Decodes any encoding that is supported for files. */
function textOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if (decoded) return decoded.text;
  throw new UsageError(
    `standard input (${bytes.length} bytes) is binary, so it cannot be part of a prompt. Save it as a file and name that, or pipe in text.`,
  );
}

function isFed(nothingElse: boolean): boolean {
  if (isatty(0)) return false;
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || (nothingElse && stat.isSocket());
  } catch {
    // Standard input is closed, so there is nothing to read.
    return false;
  }
}

/** Reads what `-f` names as attachments. Throws UsageError for what cannot be read. */
export function readAttachments(
  ports: { files: FileSystem; paths: PathStyle; web: Web },
  folder: string,
  named: readonly string[],
): Promise<Attachment[]> {
  const signal = new AbortController().signal;
  return Promise.all(
    named.map(async (one) => {
      try {
        if (/^https?:\/\//i.test(one)) return await attachPage(ports.web, one, one, signal);
        const { kind } = await ports.files.stat(ports.paths.resolve(folder, one)).catch(() => ({ kind: 'file' }));
        if (kind === 'directory') throw new UsageError('that is a folder. Name the files in it that matter.');
        return await attachFile(ports, folder, { kind: 'file', label: basename(one), path: one });
      } catch (error) {
        throw new UsageError(`-f ${one}: ${errorText(error)}`);
      }
    }),
  );
}
