import * as z from 'zod';
import { truncateMiddle } from '../../../base/truncate';
import type { ProcessEnd, ProcessRunner } from '../../ports';
import { type AnyTool, defineTool, type ToolOutput } from '../tool';
import type { ToolContext } from '../toolContext';
import { CommandOutput } from './commandOutput';
import { plainOutput } from './plainOutput';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 1800;
const MAX_CHARACTERS = 30_000;
const MAX_TITLE = 100;

const input = z.strictObject({
  command: z.string().min(1),
  timeout_seconds: z.int().min(1).max(MAX_SECONDS).optional().describe(`Default ${DEFAULT_SECONDS}`),
});
type Input = z.infer<typeof input>;

/** `execute_command`: a line for the platform's shell, run in the workspace. */
export function runCommandTool(processes: ProcessRunner): AnyTool {
  return defineTool<Input>({
    name: 'execute_command',
    description:
      "Runs a command in the platform's shell, in the workspace folder, without a terminal or standard input. What it leaves in the background is ended unless its output goes to a file.",
    category: 'execute',
    input,
    title: ({ command }) => titleOf(command),
    permission: ({ command }) => ({ tool: 'execute_command', category: 'execute', command }),
    async run({ command, timeout_seconds: seconds = DEFAULT_SECONDS }, context) {
      const output = new CommandOutput();
      const end = await processes.run(
        {
          command,
          cwd: context.workspace,
          timeoutMs: seconds * 1000,
          onOutput: (chunk) => context.report(output.add(chunk)),
        },
        context.signal,
      );
      return resultOf(command, seconds, end, plainOutput(output.text()), context);
    },
  });
}

async function resultOf(
  command: string,
  seconds: number,
  { exitCode, signal, timedOut }: ProcessEnd,
  whole: string,
  context: ToolContext,
): Promise<ToolOutput> {
  const shown = truncateMiddle(whole, MAX_CHARACTERS);
  const outputPath = shown.omitted > 0 ? await context.saveOutput(whole) : null;
  const saved = outputPath === null ? '' : `\n\nThe whole output (${whole.length} characters) is in ${outputPath}.`;
  const status = timedOut ? timedOutText(seconds) : endText(exitCode, signal);
  return {
    text: `${status}\n\n${shown.text.trim() === '' ? '(no output)' : shown.text.trimEnd()}${saved}`,
    detail: { kind: 'command', command, output: shown.text, exitCode, signal, timedOut, outputPath },
  };
}

function endText(exitCode: number | null, signal: string | null): string {
  return signal === null ? `Exit code ${exitCode ?? 'unknown'}.` : `Ended by signal ${signal}.`;
}

function timedOutText(seconds: number): string {
  const longer =
    seconds < MAX_SECONDS
      ? `If it only needs longer, set timeout_seconds (at most ${MAX_SECONDS}).`
      : 'Split the work into shorter commands.';
  return `Timed out: not finished after ${seconds} s, so it was ended with all its children. ${longer} If it waits for input, give it as arguments or from a file. A server belongs in the background with its output in a file: command > server.log 2>&1 &`;
}

function titleOf(command: string): string {
  const [first = '', ...rest] = command.trim().split('\n');
  const cut = first.length > MAX_TITLE || rest.length > 0;
  return `Run ${first.slice(0, MAX_TITLE)}${cut ? ' …' : ''}`;
}
