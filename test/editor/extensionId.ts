/** The extension under test, as the editor names it: publisher and name of package.json. */
export const extensionId = 'cairn-agents.cairn';
