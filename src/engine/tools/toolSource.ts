import { EngineError } from '../engineError';
import type { AnyTool } from './tool';

/** The place that a run takes its tools from. */
export interface ToolPlace {
  /** Absolute path. */
  workspace: string;
  /** Whether the workspace's own instructions and tools are used at all. */
  isHeard: boolean;
  /** The scripts that the user wants as tools. Absent: all. */
  scripts?: WantedScripts;
  /** Maps other names of MCP servers to the ids that each stands for. */
  serverNames?: ServerNames;
}

export type ServerNames = Readonly<Record<string, readonly string[]>>;

/** By file name, with or without the extension, by the name that models call them by, or `all`. Absent: all. */
export interface WantedScripts {
  readonly visible?: readonly string[] | undefined;
  readonly enabled?: readonly string[] | undefined;
  /** Maps an alias, which agents and roles may use, to the tools that it stands for. */
  readonly mapping?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Whether an agent may use a tool of a server, or, if no tool is named, any of its tools. */
export type WantsTool = (server: string, toolName?: string) => boolean;

/** The agent that gets the tools. */
export interface ToolUser {
  /** Its name. */
  readonly agent: string;
  /** Absolute folder of its files; null if it is a single file. */
  readonly folder: string | null;
  /** True if it comes from the workspace. */
  readonly isOfWorkspace: boolean;
  /** The values of its variables. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the agent, its role, a skill or the user requests a tool by name; a wildcard alone does not. */
  readonly names: (tool: string) => boolean;
}

export interface FoundTools {
  readonly tools: readonly AnyTool[];
  /** For the user, one sentence each. */
  readonly notices: readonly string[];
}

/** Tools that depend on the agent or the place, such as those of servers and scripts; queried when a run begins. */
export interface ToolSource {
  /** Never waits for a server or the user, and never rejects. */
  toolsFor(place: ToolPlace, wants: WantsTool, user: ToolUser): Promise<FoundTools>;
  /**
   * Returns the instructions that the agent's own script prints. Rejects with EngineError if there is none or it fails, and with
   * AbortError.
   */
  instructionsFor?(place: ToolPlace, user: ToolUser, signal: AbortSignal): Promise<string>;
  /**
   * Returns a tool that runs a script of the agent's folder for a node of its graph, as a call that is judged. Rejects with
   * EngineError.
   */
  graphScript?(place: ToolPlace, user: ToolUser, script: GraphScript): Promise<AnyTool>;
}

/** A script that a node of a graph runs as a whole. */
export interface GraphScript {
  /** The name of the call. */
  readonly name: string;
  /** Relative to the agent's folder. */
  readonly file: string;
  /** Passed to it in `GRAPH_STATE`, or in the file named by `GRAPH_STATE_FILE`. */
  readonly state: Readonly<Record<string, unknown>>;
  /** True in a mode in which nothing may be changed or run. */
  readonly isReadOnly?: boolean;
  /** Called with its standard output, if it succeeded. */
  readonly onPrinted: (text: string) => void;
}

/** Combines several sources. Of tools with the same name the first wins, but tools from the workspace come after all others. */
export function joinedSources(sources: readonly ToolSource[]): ToolSource {
  return {
    async toolsFor(place, wants, user) {
      const found = await Promise.all(sources.map((one) => one.toolsFor(place, wants, user)));
      const isTheirs = ({ traits }: AnyTool) => traits?.isOfWorkspace === true;
      const all = found.flatMap(({ tools }) => tools);
      const byName = new Map<string, AnyTool>();
      const notices = found.flatMap((one) => one.notices);
      for (const tool of [...all.filter((one) => !isTheirs(one)), ...all.filter(isTheirs)]) {
        if (!byName.has(tool.name)) byName.set(tool.name, tool);
        else if (isTheirs(tool))
          notices.push(`The script ${tool.name} of this workspace is not a tool: there is another one of that name.`);
      }
      return { tools: [...byName.values()], notices };
    },
    async instructionsFor(place, user, signal) {
      const source = sources.find((one) => one.instructionsFor !== undefined);
      if (!source?.instructionsFor) throw new EngineError('not-found', 'Scripts cannot run here.');
      return source.instructionsFor(place, user, signal);
    },
    async graphScript(place, user, script) {
      const source = sources.find((one) => one.graphScript !== undefined);
      if (!source?.graphScript) throw new EngineError('not-found', 'Scripts cannot run here.');
      return source.graphScript(place, user, script);
    },
  };
}
