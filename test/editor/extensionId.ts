/** Identifier of the extension under test: the publisher and name in package.json. */
export const extensionId = 'cairn-agents.cairn';
