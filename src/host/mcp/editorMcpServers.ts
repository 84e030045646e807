import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { McpServers, type Ports, type SecretValues, type SignInStore } from '../../engine';
import { programServerFiles } from '../../node/mcp/programServerFiles';
import type { VscodeSecretStore } from '../secrets/vscodeSecretStore';
import { openInBrowser } from '../shown/openInBrowser';
import { SignInUris } from './signInUris';

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
      return nodeMcpConnector({ env, fetch: ports.fetch ?? fetch, signIns: signIns(parts), editorAddress });
    },
    values: {
      secrets: values,
      onSecretsChange: (listener) => parts.secrets.onChange(listener),
      environment: env,
      homeFolder,
    },
    howToAllow: () => t('Run the command “Cairn: Manage MCP Servers…” to look at what it starts.'),
    howToStart: () => t('Start it in “Cairn: Show MCP Servers”.'),
    howToSignIn: () => t('Run the command “Cairn: Manage MCP Servers…” to sign in.'),
    openPage: openInBrowser,
  });
}

/** Stored with the editor's other secrets, under names that no placeholder can reference. */
function signIns({ configFolder, ports: { files, paths }, secrets }: EditorMcpParts): SignInStore {
  const stored = (name: string) => `mcpSignIn.${name}`;
  return {
    hide: secrets.hide,
    get: (name) => secrets.kept(stored(name)),
    set: (name, value) => secrets.set(stored(name), value ?? ''),
    async exclusively(name, work) {
      await files.makeDirectory(configFolder);
      const lock = `mcp-sign-in.${name.replaceAll(/[^\w.-]/g, '_')}.lock`;
      return files.exclusively(paths.resolve(configFolder, lock), work);
    },
  };
}
