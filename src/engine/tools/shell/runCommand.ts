import * as z from 'zod';
import { isAbort } from '../../../base/abort';
import type { ProcessEnd, ProcessRunner } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import type { ToolOutput } from '../toolOutput';
import type { ToolContext } from '../toolContext';
import type { BackgroundCommands } from './backgroundCommands';
import { CommandOutput } from './commandOutput';
import { commandTitle } from './commandTitle';
import { endText } from './endText';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 1800;

const input = z.strictObject({
  command: z.string().min(1),
  timeout_seconds: z.int().min(1).max(MAX_SECONDS).optional().describe(`Default ${DEFAULT_SECONDS}`),
  background: z.boolean().optional().describe('For servers and the like: returns at once with an id'),
});
type Input = z.infer<typeof input>;

/** `execute_command`: a line for the platform's shell, run in the workspace. */
export function runCommandTool(processes: ProcessRunner, commands: BackgroundCommands): AnyTool {
  return defineTool<Input>({
    name: 'execute_command',
    description:
      "Runs a command in the platform's shell, in the workspace folder, without a terminal or standard input. What it leaves running is ended with it, unless background is set; that runs until command__stop or the end of the session.",
    category: 'execute',
    traits: { kind: 'shell', doing: 'Running' },
    input,
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
  return { text, detail: { kind: 'text', text } };
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

/** What it wrote until a person stopped it. When the whole run was stopped, nobody waits for this any more. */
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
