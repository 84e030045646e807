import * as z from 'zod';
import { untilAborted } from '../../../base/abort';
import type { Clock } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import type { BackgroundCommand } from './backgroundCommand';
import type { BackgroundCommands } from './backgroundCommands';
import { commandTitle } from './commandTitle';

const MAX_WAIT = 60;

const readCommandOutputInput = z.strictObject({
  id: z.string().min(1),
  wait_seconds: z.int().min(1).max(MAX_WAIT).optional().describe('Wait so long for something new'),
});

type ReadCommandOutputInput = z.infer<typeof readCommandOutputInput>;

const stopCommandInput = z.strictObject({ id: z.string().min(1) });

type StopCommandInput = z.infer<typeof stopCommandInput>;

const listCommandsInput = z.strictObject({});

type ListCommandsInput = z.infer<typeof listCommandsInput>;

/** The tools for commands in the background. */
export function commandTools(commands: BackgroundCommands, clock: Clock): AnyTool[] {
  return [readCommandOutputTool(commands, clock), stopCommandTool(commands), listCommandsTool(commands)];
}

/** `command__list`: what was started in the background. */
function listCommandsTool(commands: BackgroundCommands): AnyTool {
  return defineTool<ListCommandsInput>({
    name: 'command__list',
    description: 'Lists the background commands.',
    category: 'read',
    traits: { kind: 'shell', doing: 'Listing' },
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

/** `command__stop`: ends a command in the background with its children. */
function stopCommandTool(commands: BackgroundCommands): AnyTool {
  return defineTool<StopCommandInput>({
    name: 'command__stop',
    description: 'Ends a background command with its children.',
    // It ends what the agent itself has started, so nobody needs to be asked.
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

/** `command__output`: what a command in the background wrote since the last look, and whether it runs. */
function readCommandOutputTool(commands: BackgroundCommands, clock: Clock): AnyTool {
  return defineTool<ReadCommandOutputInput>({
    name: 'command__output',
    description: 'Gives the state of a background command and what it wrote since the last look.',
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
