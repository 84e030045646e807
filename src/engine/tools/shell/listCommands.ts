import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import type { BackgroundCommands } from './backgroundCommands';
import { commandTitle } from './commandTitle';

const input = z.strictObject({});
type Input = z.infer<typeof input>;

/** `command__list`: what was started in the background. */
export function listCommandsTool(commands: BackgroundCommands): AnyTool {
  return defineTool<Input>({
    name: 'command__list',
    description: 'Lists the background commands.',
    category: 'read',
    traits: { kind: 'shell', doing: 'Listing' },
    input,
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
