import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import type { BackgroundCommands } from './backgroundCommands';

const input = z.strictObject({ id: z.string().min(1) });
type Input = z.infer<typeof input>;

/** `command__stop`: ends a command in the background with its children. */
export function stopCommandTool(commands: BackgroundCommands): AnyTool {
  return defineTool<Input>({
    name: 'command__stop',
    description: 'Ends a background command with its children.',
    // It ends what the agent itself has started, so nobody needs to be asked.
    category: 'agent',
    traits: { kind: 'shell', doing: 'Stopping' },
    input,
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
