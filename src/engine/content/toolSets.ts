/** `search/codebase` names a tool of a set of the editor's own; any other slash is a server's. */
export function withoutToolSet(name: string): string {
  return name.replace(/^(?:agent|edit|execute|read|search|todo|vscode|web)\/(?=\w)/, '');
}
