import { errorText } from '../../base/errorText';
import { isAbort } from '../../base/abort';
import { pluginTool } from '../tools/plugin/pluginTool';
import type { AnyTool } from '../tools/tool';
import { ToolFailure } from '../tools/toolFailure';
import type { ToolContext } from '../tools/toolContext';
import type { McpServer } from './mcpServer';
import type { McpTool } from './toolList';

/** A tool of a server under the name that models and rules know it by. */
export interface ServerTool {
  readonly server: McpServer;
  readonly tool: McpTool;
  /** `mcp__SERVER__TOOL` */
  readonly name: string;
}

/** Carries a call to the server; what comes back was not checked. */
export type CallServer = (
  server: McpServer,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: Pick<ToolContext, 'signal' | 'report' | 'ask'>,
) => Promise<unknown>;

const MAX_TOOL_NAME = 64;

/** Every tool of a server by its own name, each other than the rest. */
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
 * As agents have it: like a tool of another extension, judged as a command, since nobody knows what a server does. What the
 * server says of its own harmlessness counts for nothing.
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
