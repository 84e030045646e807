import { t } from '../base/l10n';
import { type AnyTool, openCodeTools, type ToolRegistry, type ToolResult, type ToolTraits } from '../engine';
import type { ToolDetail, ToolEntry } from '../protocol/chatState';

/** Finds the tool that a call names, by Cairn's name or by OpenCode's. */
export function calledTool(name: string, tools: ToolRegistry): AnyTool | undefined {
  return tools.get(name) ?? openCodeTools(tools).get(name);
}

/** How the chat displays a tool's calls. For a tool without traits, such as a script, the panel goes by its name. */
export function looksOf(
  traits: ToolTraits | undefined,
  category: ToolEntry['category'],
): Pick<ToolEntry, 'quiet' | 'advises' | 'counted' | 'isScript'> {
  const looks = category === 'execute' && traits?.kind !== 'shell' ? { isScript: true as const } : {};
  if (!traits) return looks;
  const counted = traits.counted ?? 'other';
  return { ...looks, counted, ...(traits.quiet && { quiet: true }), ...(traits.advises && { advises: true }) };
}

/** The present-tense form of a title: "Read src/date.ts" becomes "Reading src/date.ts". */
export function activityOf(title: string, traits: ToolTraits | undefined): string {
  return traits?.doing === undefined ? title : title.replace(/^\S+/, traits.doing);
}

/** The title of a call that the model is still writing, before its arguments are known: "Reading…". */
export function announcedAs(tool: string, traits: ToolTraits | undefined): string {
  return traits?.doing === undefined ? tool : `${traits.doing}…`;
}

/** Replaces the title of a call that ended while still only announced with the tool's name, which says more. */
export function titleAtEnd(
  call: Pick<ToolEntry, 'tool' | 'title'> | undefined,
  traitsOf: (tool: string) => ToolTraits | undefined,
): { title?: string } {
  if (!call) return {};
  return call.title === announcedAs(call.tool, traitsOf(call.tool)) ? { title: call.tool } : {};
}

/** What a card shows of a result. The text that a repeated call returns is advice for the model, so the user sees a different one. */
export function shownDetail({ detail, text }: Pick<ToolResult, 'detail' | 'text'>): ToolDetail {
  if (detail?.kind === 'text' && detail.repeated)
    return { ...detail, text: t('Not run, because the agent had made the same call before, with the same result.') };
  return detail ?? { kind: 'text', text };
}
