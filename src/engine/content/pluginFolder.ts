import type { ContentRoot } from './contentRoots';

/** Replaces the plugin folder variable in the text of a plugin's file. */
export function withPluginFolder(text: string, { plugin }: Pick<ContentRoot, 'plugin'>): string {
  return plugin === undefined ? text : text.replaceAll('${CLAUDE_PLUGIN_ROOT}', () => plugin);
}
