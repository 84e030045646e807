import * as z from '../../../base/zod';
import { isAbort, untilAborted } from '../../../base/abort';
import type { Clock, ProcessEnd, ProcessRunner } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import type { ToolContext } from '../toolContext';
import type { ToolOutput } from '../toolOutput';
import type { BackgroundCommand, BackgroundCommands } from './backgroundCommands';
import { CommandOutput, endText } from './commandOutput';

const MAX_WAIT = 60;

const readCommandOutputInput = z.strictObject({
  id: z.string().check(z.minLength(1)),
  wait_seconds: z
    .optional(z.int().check(z.minimum(1), z.maximum(MAX_WAIT)))
    .check(z.describe('Seconds to wait for new output')),
});

type ReadCommandOutputInput = z.infer<typeof readCommandOutputInput>;

const stopCommandInput = z.strictObject({ id: z.string().check(z.minLength(1)) });

type StopCommandInput = z.infer<typeof stopCommandInput>;

const listCommandsInput = z.strictObject({});

type ListCommandsInput = z.infer<typeof listCommandsInput>;

/** Returns the tools for background commands. */
export function commandTools(commands: BackgroundCommands, clock: Clock): AnyTool[] {
  return [readCommandOutputTool(commands, clock), stopCommandTool(commands), listCommandsTool(commands)];
}

/** `command__list`: lists the background commands. */
function listCommandsTool(commands: BackgroundCommands): AnyTool {
  return defineTool<ListCommandsInput>({
    name: 'command__list',
    description: 'Lists background commands.',
    category: 'read',
    traits: { kind: 'shell', doing: 'Listing', isUnlisted: true },
    input: listCommandsInput,
    title: () => 'List the background commands',
    permission: () => ({ tool: 'command__list', category: 'read' }),
    async run(_, { sessionId }) {
      const rows = commands
        .list(sessionId)
        .map(({ id, command, state }) => `${id}: ${commandTitle(command)}: ${state}`);
      const text = rows.length > 0 ? rows.join('\n') : 'No command was started in the background.';
      return { text, detail: { kind: 'text', text } };
    },
  });
}

/** `command__stop`: ends a background command and its children. */
function stopCommandTool(commands: BackgroundCommands): AnyTool {
  return defineTool<StopCommandInput>({
    name: 'command__stop',
    description: 'Ends a background command and its child processes.',
    // It only ends what the agent itself has started, so there is no need to ask.
    category: 'agent',
    traits: { kind: 'shell', doing: 'Stopping' },
    input: stopCommandInput,
    title: ({ id }) => `Stop ${id}`,
    permission: () => ({ tool: 'command__stop', category: 'agent' }),
    async run({ id }, { sessionId }) {
      const command = commands.get(sessionId, id);
      const was = command.isRunning ? '' : ' had ended before';
      await command.stop();
      const text = `${id}${was}: ${command.state}`;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

/** `command__output`: returns what a background command wrote since the last call, and whether it is running. */
function readCommandOutputTool(commands: BackgroundCommands, clock: Clock): AnyTool {
  return defineTool<ReadCommandOutputInput>({
    name: 'command__output',
    description: 'Returns the state of a background command and its output since the last call.',
    category: 'read',
    traits: { kind: 'shell', doing: 'Looking' },
    waits: true,
    input: readCommandOutputInput,
    title: ({ id }) => `Look at ${id}`,
    permission: () => ({ tool: 'command__output', category: 'read' }),
    async run({ id, wait_seconds: seconds }, { sessionId, signal }) {
      const command = commands.get(sessionId, id);
      if (seconds !== undefined) await untilNews(command, seconds, clock, signal);
      const { state } = command;
      const { text: written, note } = await command.output.take();
      const text = `${state}\n\n${written.trim() === '' ? '(nothing new)' : written.trimEnd()}${note}`;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

async function untilNews(command: BackgroundCommand, seconds: number, clock: Clock, signal: AbortSignal) {
  const timer = new AbortController();
  const late = clock.sleep(seconds * 1000, timer.signal).catch(() => undefined);
  try {
    await untilAborted(Promise.race([command.changed(), late]), signal);
  } finally {
    timer.abort();
  }
}

const MAX_TITLE = 100;

/** Shortens a command to one line of a card. */
function commandTitle(command: string): string {
  const [first = '', ...rest] = command.trim().split('\n');
  const cut = first.length > MAX_TITLE || rest.length > 0;
  return `${first.slice(0, MAX_TITLE)}${cut ? ' …' : ''}`;
}

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 1800;

const executeCommandInput = z.strictObject({
  command: z.string().check(z.minLength(1)),
  timeout_seconds: z
    .optional(z.int().check(z.minimum(1), z.maximum(MAX_SECONDS)))
    .check(z.describe(`Seconds until it is ended; default ${DEFAULT_SECONDS}`)),
  background: z.optional(z.boolean()).check(z.describe('For servers and watchers: returns at once with an id')),
});

type ExecuteCommandInput = z.infer<typeof executeCommandInput>;

/** `execute_command`: runs a line in the platform's shell, in the workspace. */
export function runCommandTool(processes: ProcessRunner, commands: BackgroundCommands): AnyTool {
  return defineTool<ExecuteCommandInput>({
    name: 'execute_command',
    description:
      'Runs a shell command in the workspace folder and returns its exit code and output (up to 30,000 characters, the rest in a file). Every call is a new shell: cd and variables do not last. There is no standard input; what is left running is ended. Use it to build, test, and look at Git, not to read, search, or edit files.',
    category: 'execute',
    traits: { kind: 'shell', doing: 'Running' },
    input: executeCommandInput,
    title: ({ command, background }) => `Run ${background ? 'in the background ' : ''}${commandTitle(command)}`,
    permission: ({ command }) => ({ tool: 'execute_command', category: 'execute', command }),
    async run({ command, timeout_seconds: seconds = DEFAULT_SECONDS, background = false }, context) {
      if (background) return startInBackground(commands, command, context);
      const output = new CommandOutput(() => context.openOutput());
      const onOutput = (chunk: string) => {
        const { live, behind } = output.add(chunk);
        context.report(live);
        return behind;
      };
      const request = { command, cwd: context.workspace, timeoutMs: seconds * 1000, onOutput };
      const end = await processes.run(request, context.signal).catch((error: unknown) => {
        if (isAbort(error)) return null;
        throw error;
      });
      output.end();
      return end ? resultOf(command, seconds, end, output) : stoppedResult(command, output);
    },
  });
}

function startInBackground(commands: BackgroundCommands, command: string, context: ToolContext): ToolOutput {
  const { id } = commands.start(context.sessionId, {
    command,
    cwd: context.workspace,
    openOutput: () => context.openOutput(),
  });
  const text = `Started in the background as ${id}. See what it writes with command__output, end it with command__stop.`;
  return { text, detail: { kind: 'text', text, background: id } };
}

async function resultOf(command: string, seconds: number, end: ProcessEnd, output: CommandOutput): Promise<ToolOutput> {
  const { exitCode, signal, timedOut } = end;
  const { text, path, note } = await output.take();
  const status = timedOut ? timedOutText(seconds) : endText(end);
  return {
    text: `${status}\n\n${text.trim() === '' ? '(no output)' : text.trimEnd()}${note}`,
    detail: { kind: 'command', command, output: text, exitCode, signal, timedOut, outputPath: path },
  };
}

/** Returns what the command wrote until the user stopped it. If the whole run was stopped, the result is no longer awaited. */
async function stoppedResult(command: string, output: CommandOutput): Promise<ToolOutput> {
  const { text, path, note } = await output.take();
  const written = text.trim() === '' ? 'It had written nothing.' : `It had written:\n\n${text.trimEnd()}${note}`;
  const end = { exitCode: null, signal: null, timedOut: false };
  return {
    text: `The user stopped this command with all its children, and wants you to go on without it. ${written}`,
    detail: { kind: 'command', command, output: text, ...end, outputPath: path },
  };
}

function timedOutText(seconds: number): string {
  const longer =
    seconds < MAX_SECONDS
      ? `If it only needs longer, set timeout_seconds (at most ${MAX_SECONDS}).`
      : 'Split the work into shorter commands.';
  return `Timed out: not finished after ${seconds} s, so it was ended with all its children. ${longer} If it waits for input, give it as arguments or from a file. A server belongs in the background: set background.`;
}
