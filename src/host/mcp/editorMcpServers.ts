import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { type Log, McpServers, type Ports, type SecretValues } from '../../engine';
import { programServerFiles } from '../../node/mcp/programServerFiles';
import { isLoopback } from '../../node/mcp/signIn/guardedFetch';
import type { EditorAddress, ReturnAddress, TakeAddress } from '../../node/mcp/signIn/returnAddress';
import { openInBrowser } from '../shown/openInBrowser';
import type { VscodeSecretStore } from '../vscodeSecretStore';
import { editorSignIns } from './editorSignIns';

export interface EditorMcpParts {
  /** Cairn's configuration folder, absolute. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** These read files as saved, ignoring unsaved changes in editors. */
  ports: Ports;
  secrets: VscodeSecretStore;
  /** Resolves `{{NAME}}`. */
  values: SecretValues;
  /** Provides the extension id for the editor's URIs. */
  context: Pick<vscode.ExtensionContext, 'extension'>;
}

/** Creates the MCP servers as the editor runs them, with its secrets resolved. */
export function editorMcpServers(parts: EditorMcpParts): McpServers {
  const { configFolder, env, ports, values, context } = parts;
  const homeFolder = homedir();
  const editorAddress = new SignInUris(context.extension.id, ports.log);
  return new McpServers({
    configFolder,
    programFiles: programServerFiles(env, homeFolder),
    ports,
    connector: async () => {
      const { nodeMcpConnector } = await import('../../node/mcp/nodeMcpConnector');
      return nodeMcpConnector({ env, fetch: ports.fetch ?? fetch, signIns: editorSignIns(parts), editorAddress });
    },
    values: {
      secrets: values,
      onSecretsChange: (listener) => parts.secrets.onChange(listener),
      environment: env,
      homeFolder,
    },
    howToAllow: ({ length }) =>
      length === 1
        ? t('Run the command “Cairn: Manage MCP Servers…” to look at what it starts.')
        : t('Run the command “Cairn: Show MCP Servers” to look at what they start.'),
    howToStart: () => t('Start it in “Cairn: Show MCP Servers”.'),
    howToSignIn: () => t('Run the command “Cairn: Manage MCP Servers…” to sign in.'),
    openPage: openInBrowser,
  });
}

const PATH = '/mcp/sign-in';

/**
 * Editor URIs that are delivered to this window. Web pages can open them too, so a URI is only passed to pending sign-ins, and
 * the handler is registered only while there are any. A URI therefore starts nothing, and Cairn is not loaded for it.
 */
class SignInUris implements EditorAddress {
  private readonly takers = new Set<TakeAddress>();
  private handler: vscode.Disposable | undefined;

  constructor(
    private readonly extensionId: string,
    private readonly log: Log,
  ) {}

  async open(registered?: string): Promise<ReturnAddress | undefined> {
    const { remoteName, uiKind, uriScheme: scheme } = vscode.env;
    const own = vscode.Uri.from({ scheme, authority: this.extensionId, path: PATH });
    if (registered !== undefined) {
      const isOwn = vscode.Uri.parse(registered).with({ query: '' }).toString() === own.toString();
      return isOwn ? this.at(registered) : undefined;
    }
    if (remoteName === undefined && uiKind === vscode.UIKind.Desktop) return undefined;
    // The result also identifies the window, in an encoding that must be left unchanged.
    const url = (await vscode.env.asExternalUri(own)).toString(true);
    const parsed = new URL(url);
    if (parsed.protocol !== 'http:' || isLoopback(parsed)) return this.at(url);
    this.log.info(
      `Signing in to an MCP server: the connection to ${parsed.host} is not encrypted, so others could read it.`,
    );
    return undefined;
  }

  onRefused(why: string): void {
    this.log.info(`Signing in to an MCP server: ${why}`);
  }

  private at(url: string): ReturnAddress {
    let own: TakeAddress | undefined;
    return {
      url,
      path: PATH,
      listen: (take) => {
        own = take;
        this.takers.add(take);
        this.handler ??= vscode.window.registerUriHandler({ handleUri: (uri) => this.came(uri) });
      },
      close: () => {
        if (own) this.takers.delete(own);
        if (this.takers.size === 0) {
          this.handler?.dispose();
          this.handler = undefined;
        }
        return Promise.resolve();
      },
    };
  }

  private came({ path, query }: vscode.Uri): void {
    // Some editors decode the query and others do not. Its relevant values contain no spaces, so a plus sign is literal.
    const address = `${path}?${query.replaceAll('+', '%2B')}`;
    if ([...this.takers].some((take) => take(address) !== undefined)) return;
    this.log.warn(
      'A sign-in address for an MCP server was opened that belongs to no sign-in in progress. It was ignored.',
    );
  }
}
