/** `search/codebase` names a tool of a set of the editor's own; any other slash is a server's. */
export function withoutToolSet(name: string): string {
  return name.replace(SET, '');
}

const SET =
  /^(?:agent|edit|execute|new|read|runCommands|runNotebooks|runTasks|runTests|search|todo|vscode|web)\/(?=\w)/;

/** What an agent cannot do, a sentence each, that its list of tools leaves out though it most likely meant to. */
export function toolGaps(written: readonly string[] = [], tools: readonly string[] = []): string[] {
  if (written.length > 0 && tools.length === 0)
    return [
      'Cairn has none of these tools, so the agent has no tools left. Name some that it has, or leave the list out.',
    ];
  const changes = tools.some((name) => name === 'fs_edit' || name === 'fs_write');
  if (changes && !tools.some((name) => name === 'fs_read' || name === '*' || name === 'fs_*'))
    return ['The agent can change files but cannot read them. Add the tool that reads files.'];
  return [];
}
