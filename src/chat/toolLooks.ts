import { t } from '../base/l10n';
import { type AnyTool, openCodeTools, type ToolRegistry, type ToolResult, type ToolTraits } from '../engine';
import type { ToolDetail, ToolEntry } from '../protocol/chatState';

/** The tool that a call names, by our name for it or by that of OpenCode. */
export function calledTool(name: string, tools: ToolRegistry): AnyTool | undefined {
  return tools.get(name) ?? openCodeTools(tools).get(name);
}

/** How the chat shows calls of a tool. Of one that says nothing of itself, such as a script, the panel judges by its name. */
export function looksOf(
  traits: ToolTraits | undefined,
  category: ToolEntry['category'],
): Pick<ToolEntry, 'quiet' | 'counted' | 'isScript'> {
  const looks = category === 'execute' && traits?.kind !== 'shell' ? { isScript: true as const } : {};
  if (!traits) return looks;
  const counted = traits.counted ?? 'other';
  return { ...looks, counted, ...(traits.quiet && { quiet: true }) };
}

/** "Read src/date.ts" while it happens: "Reading src/date.ts". */
export function activityOf(title: string, traits: ToolTraits | undefined): string {
  return traits?.doing === undefined ? title : title.replace(/^\S+/, traits.doing);
}

/** What a call is called while the model still writes it, so that what it is about is not known yet: "Reading…". */
export function announcedAs(tool: string, traits: ToolTraits | undefined): string {
  return traits?.doing === undefined ? tool : `${traits.doing}…`;
}

/** Of a call that ended while it still was announced the name says more. */
export function titleAtEnd(
  call: Pick<ToolEntry, 'tool' | 'title'> | undefined,
  traitsOf: (tool: string) => ToolTraits | undefined,
): { title?: string } {
  if (!call) return {};
  return call.title === announcedAs(call.tool, traitsOf(call.tool)) ? { title: call.tool } : {};
}

/** What a card shows of a result. What a model that goes round in circles is told is advice for it, and none for the person. */
export function shownDetail({ detail, text }: Pick<ToolResult, 'detail' | 'text'>): ToolDetail {
  if (detail?.kind === 'text' && detail.repeated)
    return { ...detail, text: t('Not run, because the agent had made the same call before, with the same result.') };
  return detail ?? { kind: 'text', text };
}
