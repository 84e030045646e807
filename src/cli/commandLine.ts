import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { isAbort } from '../base/abort';
import { errorText } from '../base/errors';
import { type ApprovalHandler, type Engine, EngineError, type Log, type ProgramFile } from '../engine';
import { loadConfig } from '../node/config/loadConfig';
import { configFolder } from '../node/configFolder';
import type { LateMcpServers } from '../node/mcp/lateMcpServers';
import { programServerFiles } from '../node/mcp/programServerFiles';
import { nodePorts } from '../node/nodePorts';
import { ownEnvironment } from '../node/ownEnvironment';
import { cliEngine, type CliEngineParts } from './cliEngine';
import { EXIT, UsageError } from './exitStatus';
import { folderTrust } from './folderTrust';
import type { ListPlace } from './listThings';
import type { ClientApprovals } from './mcp/serve/clientApprovals';
import type { ServedEngine } from './mcp/serve/serveMcp';
import type { OutputStreams } from './output';
import { type ApproveChoice, type CliArguments, HELP, parseArguments, parseServed } from './parseArguments';
import { APPROVAL_MODES, type PromptRun, readAttachments, readInput, runOptions, runPrompt } from './runPrompt';
import { standardStreams } from './standardStreams';
import { hasPerson, type Terminal, terminal } from './terminal';
import { nobodyApprovals, nobodyPrompter, terminalApprovals, terminalPrompter } from './terminalApprovals';
import { configSecrets, vaultSecrets } from './vault/runVault';
import { effectiveSettings, withConfig } from './withConfig';

const HINTS: Record<ApproveChoice, string> = {
  ask: 'There is no terminal to ask for approval.',
  none: 'Cairn runs with --approve none, the default without a terminal.',
  edits: 'Cairn runs with --approve edits, which covers edits inside the folder only.',
  all: 'Cairn runs with --approve all, which does not cover protected files and paths outside the folder.',
};

const NO_FORMS = 'The program that started “cairn mcp serve” cannot show forms, so nobody can approve anything.';

/** Next to the bundle's folder. */
const ASSETS = join(__dirname, '..', 'assets');
const PAGE_WORKER = join(__dirname, 'web.js');
const SCRIPT_PROGRAMS = {
  assets: join(ASSETS, 'scripts'),
  moduleRunner: join(__dirname, 'runScript.mjs'),
  grammars: __dirname,
  sqliteRunner: join(__dirname, 'querySqlite.mjs'),
};

/** Runs the command `cairn` and returns the exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const streams = standardStreams();
  try {
    const other = await otherCommand(argv, streams);
    if (other !== undefined) return other;
    return await carryOut(parseArguments(argv), streams);
  } catch (error) {
    if (isAbort(error)) return EXIT.cancelled;
    streams.err(`cairn: ${errorText(error)}\n`);
    return error instanceof UsageError || EngineError.is(error, 'invalid-input') || EngineError.is(error, 'not-found')
      ? EXIT.usage
      : EXIT.failed;
  }
}

/** Runs a subcommand, loading its code on demand. Returns undefined if the arguments are a prompt. */
async function otherCommand([name, ...argv]: readonly string[], streams: OutputStreams): Promise<number | undefined> {
  if (name === 'mcp' && argv[0] === 'serve') return carryOut(parseServed(argv.slice(1)), streams, 'serve');
  if (name === 'mcp') return (await import('./mcp/mcpCommand')).mcpCommand(argv, process.env, streams);
  if (name === 'import') {
    return (await import('./importCommand')).importCommand(argv, process.env, ASSETS, streams);
  }
  if (name === 'runs') {
    const { runsCommand } = await import('./runsCommand');
    return runsCommand(argv, process.env, streams, (args, run) => carryOut(args, streams, run));
  }
  if (name === 'tools')
    return (await import('./toolsCommand')).toolsCommand(argv, process.env, SCRIPT_PROGRAMS, streams);
  if (name === 'vault') return (await import('./vault/vaultCommand')).vaultCommand(argv, process.env, streams);
  return undefined;
}

type Purpose = 'run' | 'serve' | NonNullable<PromptRun['graphRun']>;

/** `serve`: standard input belongs to another program, not to a user. A graph run: continues it in its session. */
async function carryOut(args: CliArguments, streams: OutputStreams, what: Purpose = 'run'): Promise<number> {
  const ownFolder = args.configFolder === undefined ? configFolder(process.env) : resolve(args.configFolder);
  const told = await tellWithoutEngine(args, ownFolder, streams);
  if (told !== undefined) return told;
  const folder = workFolder(args.folder);
  const person = what !== 'serve' && hasPerson();
  // A copy, because every read of a `process.env` variable is a system call.
  const env = ownEnvironment(process.env, ownFolder);
  const say = (line: string) => streams.err(`${line}\n`);
  const screen = person ? terminal({ input: process.stdin, output: process.stderr, onInterrupt }) : undefined;
  // Commands that only show information never prompt.
  const asked = args.info || args.list ? undefined : screen;
  const isTrusted = await folderTrust({ folder, configFolder: ownFolder, isNamed: args.trust, say, screen: asked });
  const vault = await vaultSecrets({ configFolder: ownFolder, env, screen: asked, say });
  const config = await loadConfig(ownFolder, env, configSecrets(vault));
  for (const line of config.warnings) say(line);
  const settled = withConfig(args, config.values);
  const approve = settled.approve ?? (person ? 'ask' : 'none');
  const asks = person && (approve === 'ask' || approve === 'edits');
  const nobody = nobodyApprovals(what === 'serve' && approve === 'ask' ? NO_FORMS : HINTS[approve], say);
  const client = what === 'serve' && approve !== 'none' ? await clientApprovals(nobody) : undefined;
  const { engine, mcp, toolsBeside, settings } = cliEngine({
    env,
    config,
    vault,
    configFolder: ownFolder,
    approvals: client ?? (asks && screen ? terminalApprovals(screen) : nobody),
    prompter: screen ? terminalPrompter(screen) : nobodyPrompter(say),
    log: standardErrorLog(streams),
    pageWorker: PAGE_WORKER,
    scriptPrograms: SCRIPT_PROGRAMS,
    content: contentOf(folder, isTrusted, env),
  });
  if (args.info) {
    for (const line of config.notes) say(line);
    const effective = effectiveSettings(args, env, config);
    const facts = { version, config: ownFolder, folder, approve, settings: effective };
    const { infoText } = await import('./listThings');
    return printed(await infoText(engine, facts, args.output), streams);
  }
  if (args.dryRun) return walkedDry(engine, settled, streams);
  if (args.list) {
    return listed(args.list, engine, { toolsBeside, settings, folder, isTrusted, output: args.output }, streams);
  }
  return withServers(mcp, { folder, isTrusted, screen: settings.servers.on ? screen : undefined }, () =>
    what === 'serve'
      ? serve(engine, settled, { approve, workspace: folder, approvals: client })
      : answer(engine, settled, { approve, folder, env, streams, ...(what !== 'run' && { graphRun: what }) }),
  );
}

/** Handles whatever needs no engine. Returns undefined for everything else. */
async function tellWithoutEngine(
  args: CliArguments,
  ownFolder: string,
  streams: OutputStreams,
): Promise<number | undefined> {
  if (args.help) return printed(HELP, streams);
  if (args.validate !== undefined) {
    const places = { assetsFolder: ASSETS, configFolder: ownFolder, homeFolder: homedir(), workspaceFolders: [] };
    const programFiles = programFilesOf(process.env);
    const { validatePath } = await import('./validatePath');
    return validatePath(args.validate, { ...places, programFiles }, streams);
  }
  if (args.version) return printed(`cairn ${version}\n`, streams);
  if (args.usage === undefined) return undefined;
  const { usageReport } = await import('./usageReport');
  const wanted = { configFolder: ownFolder, env: process.env, since: args.since, format: args.usage };
  return usageReport(wanted, streams);
}

async function walkedDry(engine: Engine, args: CliArguments, streams: OutputStreams): Promise<number> {
  const { dryRunCommand } = await import('./dryRunCommand');
  const stop = new AbortController();
  whenInterrupted(() => stop.abort());
  return dryRunCommand(engine, args, streams, stop.signal);
}

async function listed(
  what: NonNullable<CliArguments['list']>,
  engine: Engine,
  { output, ...place }: ListPlace & Pick<CliArguments, 'output'>,
  streams: OutputStreams,
): Promise<number> {
  const { emptyListText, listThings, tellBrokenFiles } = await import('./listThings');
  await tellBrokenFiles(what, engine, streams);
  const list = await listThings(what, engine, place, output);
  if (list === '') streams.err(`cairn: ${emptyListText(what)}\n`);
  return printed(list, streams);
}

/** Asks the user to allow the servers that a trusted folder would start, and stops them all afterwards. */
async function withServers(
  mcp: LateMcpServers,
  { folder, isTrusted, screen }: { folder: string; isTrusted: boolean; screen: Terminal | undefined },
  work: () => Promise<number>,
): Promise<number> {
  try {
    const place = { workspace: folder, isHeard: isTrusted };
    const servers = screen && (await mcp.ifAny(place));
    if (screen && servers) {
      const { allowServers } = await import('./mcp/allowServers');
      await allowServers(servers, place, screen);
    }
    return await work();
  } finally {
    await mcp.end();
  }
}

async function clientApprovals(otherwise: ApprovalHandler): Promise<ClientApprovals> {
  const { ClientApprovals: Asking } = await import('./mcp/serve/clientApprovals');
  return new Asking(otherwise);
}

/** Serves until the other program disconnects. */
async function serve(
  engine: Engine,
  args: CliArguments,
  { approve, ...place }: Pick<ServedEngine, 'workspace' | 'approvals'> & { approve: ApproveChoice },
): Promise<number> {
  const { serveMcp } = await import('./mcp/serve/serveMcp');
  try {
    await serveMcp({ engine, ...place, approvalMode: APPROVAL_MODES[approve], run: runOptions(args) });
    return EXIT.completed;
  } finally {
    await engine.shutDown();
  }
}

/** Runs the prompt from the arguments and standard input. */
async function answer(
  engine: Engine,
  args: CliArguments,
  given: Pick<PromptRun, 'approve' | 'folder' | 'streams' | 'graphRun'> & { env: NodeJS.ProcessEnv },
): Promise<number> {
  const { approve, folder, env, streams, graphRun } = given;
  const isNew = graphRun === undefined;
  const text = isNew ? await readInput(args.prompt) : '';
  if (text === '' && isNew)
    throw new UsageError('there is no prompt. Give one as an argument or on standard input; see cairn --help.');
  try {
    const ports = nodePorts({ env, ripgrepCandidates: [], pageWorker: PAGE_WORKER, log: standardErrorLog(streams) });
    const attachments = await readAttachments(ports, folder, args.files);
    const input = isNew ? { text, attachments } : undefined;
    const going = graphRun && { graphRun };
    return await runPrompt({ engine, args, approve, folder, input, streams, onInterrupt: whenInterrupted, ...going });
  } finally {
    // Background work would keep the process from exiting.
    await engine.shutDown();
  }
}

function whenInterrupted(cancel: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, cancel);
}

/** Where agents and their content come from. The folder is included only once it is trusted. */
function contentOf(folder: string, isTrusted: boolean, env: NodeJS.ProcessEnv): CliEngineParts['content'] {
  return {
    assetsFolder: ASSETS,
    homeFolder: homedir(),
    programFiles: programFilesOf(env),
    contentFolders: () => (isTrusted ? [folder] : []),
    scope: () => ({ trusted: true, isHeard: isTrusted, folders: [] }),
  };
}

function programFilesOf(env: NodeJS.ProcessEnv): () => Promise<readonly ProgramFile[]> {
  return () => Promise.resolve(programServerFiles(env, homedir()));
}

function printed(text: string, streams: OutputStreams): number {
  streams.out(text);
  return EXIT.completed;
}

/** Mimics the signal: a listener cancels the run, and without one the process exits. */
function onInterrupt(): void {
  if (!process.emit('SIGINT')) process.exit(EXIT.cancelled);
}

function workFolder(named: string | undefined): string {
  const folder = resolve(named ?? '.');
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) throw new UsageError(`there is no folder ${folder}.`);
  if (!stat.isDirectory()) throw new UsageError(`${folder} is a file; -C takes a folder.`);
  return folder;
}

function standardErrorLog({ err }: OutputStreams): Log {
  return {
    info: () => undefined,
    warn: (message) => err(`cairn: ${message}\n`),
    error: (message, error) => err(`cairn: ${message}${error === undefined ? '' : `: ${errorText(error)}`}\n`),
  };
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
