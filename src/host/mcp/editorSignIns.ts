import type { Ports, SignInStore } from '../../engine';
import type { VscodeSecretStore } from '../vscodeSecretStore';

interface EditorSignInParts {
  /** Cairn's configuration folder, absolute. */
  configFolder: string;
  ports: Pick<Ports, 'files' | 'paths'>;
  secrets: Pick<VscodeSecretStore, 'hide' | 'kept' | 'set'>;
}

/**
 * Creates the store of sign-ins to MCP servers. They are stored with the editor's other secrets, under names that no placeholder
 * can reference. All windows share the locks.
 */
export function editorSignIns({ configFolder, ports: { files, paths }, secrets }: EditorSignInParts): SignInStore {
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
