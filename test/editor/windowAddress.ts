export interface WindowAddressOptions {
  readonly host: string;
  /** A folder, or a `.code-workspace` file that names several. */
  readonly folder?: string;
  readonly developmentPath?: string;
  readonly testsPath?: string;
  /** The environment of the window's extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the address that opens a window of an editor server with the extension to load in it. */
export function windowAddress(options: WindowAddressOptions): string {
  const remote = `vscode-remote://${options.host}`;
  const payload: [string, string][] = [['skipWelcome', 'true']];
  if (options.env) payload.push(['extensionEnvironment', JSON.stringify(options.env)]);
  if (options.developmentPath) payload.push(['extensionDevelopmentPath', remote + options.developmentPath]);
  if (options.testsPath) payload.push(['extensionTestsPath', remote + options.testsPath]);
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  const kind = options.folder?.endsWith('.code-workspace') ? 'workspace' : 'folder';
  if (options.folder) query.set(kind, options.folder);
  return `http://${options.host}/?${query.toString()}`;
}
