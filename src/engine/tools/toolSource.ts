import { EngineError } from '../engineError';
import type { AnyTool } from './tool';

/** Where a run looks for tools. */
export interface ToolPlace {
  /** Absolute folder. */
  workspace: string;
  /** Whether what the workspace says is heard at all. */
  isHeard: boolean;
  /** Which scripts the person wants as tools. Absent: all. */
  scripts?: WantedScripts;
  /** Other names of MCP servers → the ids that each stands for. */
  serverNames?: ServerNames;
}

export type ServerNames = Readonly<Record<string, readonly string[]>>;

/** By the names of their files, with or without an ending, and by those that models call them by, or `all`. Absent: all. */
export interface WantedScripts {
  readonly visible?: readonly string[] | undefined;
  readonly enabled?: readonly string[] | undefined;
  /** Another name, which agents and roles may write → the tools that it stands for. */
  readonly mapping?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Whether an agent may use a tool of a server, or, where no tool is named, any of it. */
export type WantsTool = (server: string, toolName?: string) => boolean;

/** The agent that is to have the tools. */
export interface ToolUser {
  /** Its name. */
  readonly agent: string;
  /** Absolute folder of what belongs to it; null when it is a single file. */
  readonly folder: string | null;
  /** True for one that the workspace brings. */
  readonly isOfWorkspace: boolean;
  /** The values of its variables. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the agent, its role, a skill or the person asks for a tool by its name, which a wildcard alone does not. */
  readonly names: (tool: string) => boolean;
}

export interface FoundTools {
  readonly tools: readonly AnyTool[];
  /** For the person: a sentence each. */
  readonly notices: readonly string[];
}

/** Tools that are there for some agents, or in some places, such as those of servers and of scripts; asked when a run begins. */
export interface ToolSource {
  /** Waits for nobody and never rejects. */
  toolsFor(place: ToolPlace, wants: WantsTool, user: ToolUser): Promise<FoundTools>;
  /** What the agent's own script says that it is. Rejects with EngineError when there is none, or it fails, and with AbortError. */
  instructionsFor?(place: ToolPlace, user: ToolUser, signal: AbortSignal): Promise<string>;
  /** What runs a script of the agent's folder for a node of its graph, as a call that is judged. Rejects with EngineError. */
  graphScript?(place: ToolPlace, user: ToolUser, script: GraphScript): Promise<AnyTool>;
}

/** A script that a node of a graph runs as a whole. */
export interface GraphScript {
  /** How the call is named. */
  readonly name: string;
  /** Relative to the folder of the agent. */
  readonly file: string;
  /** What it finds in `GRAPH_STATE`, or in the file that `GRAPH_STATE_FILE` names. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Nothing may be changed or run where it would be. */
  readonly isReadOnly?: boolean;
  /** Told what it printed to its standard output, when it ended well. */
  readonly onPrinted: (text: string) => void;
}

/** All of several sources; of two tools with a name the first counts, and one that a workspace brings after all others. */
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
