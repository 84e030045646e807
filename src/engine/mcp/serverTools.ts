import { errorText } from '../../base/errorText';
import { isAbort } from '../../base/abort';
import { pluginTool } from '../tools/plugin/pluginTool';
import type { AnyTool } from '../tools/tool';
import { ToolFailure } from '../tools/toolFailure';
import type { ToolContext } from '../tools/toolContext';
import type { McpServer } from './mcpServer';
import type { McpTool } from './toolList';

/** A server's tool under the name that models and rules use. */
export interface ServerTool {
  readonly server: McpServer;
  readonly tool: McpTool;
  /** `mcp__SERVER__TOOL` */
  readonly name: string;
}

/** Calls a tool on the server. The response is unchecked. */
export type CallServer = (
  server: McpServer,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: Pick<ToolContext, 'signal' | 'report' | 'ask'>,
) => Promise<unknown>;

const MAX_TOOL_NAME = 64;

/** Returns every tool of a server under a unique name. */
export function serverTools(server: McpServer, tools: readonly McpTool[]): ServerTool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const whole = `mcp__${server.name}__${tool.name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
    let name = whole.slice(0, MAX_TOOL_NAME);
    for (let count = 2; taken.has(name); count++) name = `${whole.slice(0, MAX_TOOL_NAME - 4)}-${count}`;
    taken.add(name);
    return { server, tool, name };
  });
}

/**
 * Returns a server's tool as agents get it: like another extension's tool, and judged as a command, since there is no telling
 * what a server does. The server's own claims that it is harmless are ignored.
 */
export function agentTool({ server, tool, name }: ServerTool, call: CallServer): AnyTool {
  const made = pluginTool({
    name,
    description: tool.description === '' ? `${tool.name} of the MCP server ${server.id}.` : tool.description,
    category: 'execute',
    inputSchema: tool.parameters,
    title: () => `${server.id}: ${tool.name}`,
    async run(input, context) {
      try {
        const from = { server: server.id, tool: tool.name, output: tool.output };
        const answer = await call(server, tool.name, input, context);
        const { resultOutput } = await import('./resultOutput');
        return resultOutput(answer, from);
      } catch (error) {
        if (isAbort(error) || error instanceof ToolFailure) throw error;
        throw new ToolFailure('failed', errorText(error));
      }
    },
  });
  return { ...made, traits: { kind: 'mcp', doing: 'Calling', servers: [server.id, ...(server.aliases ?? [])] } };
}
