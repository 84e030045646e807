import * as z from 'zod';
import { untilAborted } from '../../../base/abort';
import type { Clock } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import type { BackgroundCommand } from './backgroundCommand';
import type { BackgroundCommands } from './backgroundCommands';

const MAX_WAIT = 60;

const input = z.strictObject({
  id: z.string().min(1),
  wait_seconds: z.int().min(1).max(MAX_WAIT).optional().describe('Wait so long for something new'),
});
type Input = z.infer<typeof input>;

/** `command__output`: what a command in the background wrote since the last look, and whether it runs. */
export function readCommandOutputTool(commands: BackgroundCommands, clock: Clock): AnyTool {
  return defineTool<Input>({
    name: 'command__output',
    description: 'Gives the state of a background command and what it wrote since the last look.',
    category: 'read',
    traits: { kind: 'shell', doing: 'Looking' },
    waits: true,
    input,
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
