import type { ContentRoot } from './contentRoots';

/** What a file of a plugin says, with the folder of that plugin where its files name it. */
export function withPluginFolder(text: string, { plugin }: Pick<ContentRoot, 'plugin'>): string {
  return plugin === undefined ? text : text.replaceAll('${CLAUDE_PLUGIN_ROOT}', () => plugin);
}
