import { type AnyTool, openCodeTools, type ToolRegistry, type ToolTraits } from '../engine';
import type { ToolEntry } from '../protocol/chatState';

/** The tool that a call names, by our name for it or by that of OpenCode. */
export function calledTool(name: string, tools: ToolRegistry): AnyTool | undefined {
  return tools.get(name) ?? openCodeTools(tools).get(name);
}

/** How the chat shows calls of a tool. Of one that says nothing of itself, the panel judges by its name. */
export function looksOf(traits: ToolTraits | undefined): Pick<ToolEntry, 'quiet' | 'counted'> {
  if (!traits) return {};
  const counted = traits.counted ?? 'other';
  return traits.quiet ? { counted, quiet: true } : { counted };
}

/** "Read src/date.ts" while it happens: "Reading src/date.ts". */
export function activityOf(title: string, traits: ToolTraits | undefined): string {
  return traits?.doing === undefined ? title : title.replace(/^\S+/, traits.doing);
}
