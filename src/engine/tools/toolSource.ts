import type { AnyTool } from './tool';

/** Where a run looks for tools. */
export interface ToolPlace {
  /** Absolute folder. */
  workspace: string;
  /** Whether what the workspace says is heard at all. */
  isHeard: boolean;
}

/** Whether an agent may use a tool of a server, or, where no tool is named, any of it. */
export type WantsTool = (server: string, toolName?: string) => boolean;

/** Tools that are there for some agents, or in some places, such as those of servers; asked when a run begins. */
export interface ToolSource {
  /** Waits for nobody and never rejects. `notices` are for the person. */
  toolsFor(place: ToolPlace, wants: WantsTool): Promise<{ tools: readonly AnyTool[]; notices: readonly string[] }>;
}
