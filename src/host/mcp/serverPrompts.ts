import { isAbort } from '../../base/abort';
import { t } from '../../base/l10n';
import { promptValues, splitWords, typedPrompts } from '../../engine';
import type { KnownServer } from '../../engine';
import type { TypedCommand, WrittenMessage } from '../../protocol/hostApi';
import { withCancel } from '../shown/notify';
import { askValue } from './askValue';
import type { ServersHere } from './serverResources';

/** The prompts of MCP servers, in the form typed after a slash. Starts no server. */
export async function promptCommands({ mcp, mcpPlace }: ServersHere): Promise<TypedCommand[]> {
  // Unreadable files are reported where servers are managed, and with the next message.
  const servers = await mcp.allowed(mcpPlace()).catch((): readonly KnownServer[] => []);
  return typedPrompts(servers).map(({ name, hint, prompt }) => ({
    name,
    hint,
    description: prompt.description,
    kind: 'prompt',
  }));
}

/**
 * Returns the message that a server's prompt produces, after asking the user for its arguments. `typed` is the text after the
 * name. Returns undefined if the user canceled. Rejects with a message for the user if the result cannot be sent.
 */
export async function writePrompt(
  { mcp, mcpPlace }: ServersHere,
  name: string,
  typed: string,
): Promise<WrittenMessage | undefined> {
  const found = typedPrompts(await mcp.allowed(mcpPlace())).find((one) => one.name === name);
  if (!found) throw new Error(t('There is no longer a prompt /{0}, or its MCP server is not allowed to start.', name));
  const { server, prompt } = found;
  const servers = await mcp.servers();
  const values = promptValues(prompt, splitWords(typed));
  const { signal } = new AbortController();
  for (const argument of prompt.arguments) {
    if (Object.hasOwn(values, argument.name)) continue;
    const value = await askValue({
      ...argument,
      title: `/${name}`,
      complete: (text) =>
        servers.complete(
          server,
          { type: 'ref/prompt', name: prompt.name },
          { name: argument.name, value: text },
          { known: { ...values }, signal },
        ),
    });
    if (value === undefined) return undefined;
    if (value !== '') values[argument.name] = value;
  }
  try {
    const written = await withCancel(t('Asking the MCP server {0} for {1}', server.id, prompt.name), (stop) =>
      servers.writePrompt(server, prompt.name, values, stop),
    );
    if (!written) return undefined;
    const pictures = written.images.map(({ mediaType, data }) => ({
      mediaType,
      data,
      label: t('Image of {0}', server.id),
    }));
    return { text: written.text, pictures };
  } catch (error) {
    if (isAbort(error)) return undefined;
    throw error;
  }
}
