import type { CallToolRequest, Client, RequestOptions } from '@modelcontextprotocol/client';

/** Error code of a server that expects other headers. */
const HEADER_MISMATCH = -32_020;

/**
 * Calls a tool in the newer protocol with the headers that its input schema declares. If those are not what the server expects,
 * because its tools have changed, the SDK lists them and tries once more.
 */
export async function callWithHeaders(
  client: Client,
  schema: Readonly<Record<string, unknown>> | undefined,
  params: CallToolRequest['params'],
  sending: RequestOptions,
): Promise<unknown> {
  const { isSpecType, ProtocolError } = await import('./mcpLibrary');
  const toolDefinition: unknown = { name: params.name, inputSchema: schema };
  if (!schema || !isSpecType.Tool(toolDefinition)) return client.callTool(params, sending);
  try {
    return await client.callTool(params, { ...sending, toolDefinition });
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== HEADER_MISMATCH) throw error;
    return client.callTool(params, sending);
  }
}
