import type { Question, QuestionAnswer } from '../events/agentEvent';
import type { FileChange } from '../permissions/approvalHandler';
import type { Verdict } from '../permissions/permissionRule';
import type { SeenFiles } from './files/seenFiles';
import type { HiddenContext } from './hiddenContext';
import type { TeamDesk } from './team/teamDesk';
import type { TodoList } from './todoList';
import type { ToolOutput } from './toolOutput';

/** A file of the session that a tool writes incrementally. */
export interface OutputFile {
  /** Absolute. */
  readonly path: string;
  append(text: string): Promise<void>;
}

/** The context of a tool call. The model sees none of it. */
export interface ToolContext extends HiddenContext {
  /** Aborts when the run is canceled, or when the user stops just this call. */
  readonly signal: AbortSignal;
  /** Absolute folder that relative paths are resolved against. */
  readonly workspace: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly callId: string;
  /** The session's to-dos. */
  readonly todos: TodoList;
  /** The skills that the agent may use. */
  readonly skills: SkillShelf;
  /** What the session's model knows of files. */
  readonly seen: SeenFiles;
  /** Other agents. */
  readonly team: TeamDesk;
  /** The agent's settings for tools that read and search files. */
  readonly looking?: LookingSettings | undefined;
  /** The change that `preview` computed and was approved, including the user's modifications; absent for tools without a preview. */
  readonly change?: FileChange;
  /** The real path of `change` that was judged. It is not written where its path leads elsewhere. */
  readonly judgedPath?: string;
  /** Removes known secrets from a text. */
  readonly strike: (text: string) => string;
  /** Shows output while the tool is running. */
  report(chunk: string): void;
  /** Asks the user, until the signal aborts, if there is one. Rejects only with AbortError. */
  ask(
    question: Pick<Question, 'question' | 'kind' | 'options' | 'server'>,
    signal?: AbortSignal,
  ): Promise<QuestionAnswer>;
  /** Saves an output that is too long for the model to a file of the session and returns its absolute path. */
  saveOutput(text: string): Promise<string>;
  /**
   * Waits for the result that a program sends for this call, unless `begin` returns one. Rejects like `begin`, with ToolFailure
   * if the program reports that the call failed, and with AbortError.
   */
  untilSent(begin: () => Promise<ToolOutput | undefined>, signal: AbortSignal): Promise<ToolOutput>;
  /** Returns true if a permission rule allows this tool network access and names this host. */
  namesHost(tool: string, host: string): Promise<boolean>;
  /** Returns the rules' verdict on network access of this tool to a host. */
  hostVerdict(tool: string, host: string): Promise<Verdict>;
  /**
   * Returns whether a search of a folder must pass over a file, named by its path relative to the folder. Undefined if no rule
   * is about paths.
   */
  excludedBelow(folder: string): Promise<((path: string) => boolean) | undefined>;
  /** Creates such a file; it may still be written after the call has ended. */
  openOutput(): Promise<OutputFile>;
}

/** An agent's settings for the tools that read and search files; if absent, the defaults of the tools apply. */
export interface LookingSettings {
  /** The maximum number of lines that one call of `fs_read` returns. */
  readonly readLines?: number | undefined;
  /** The maximum number of lines that one call of `fs_grep` finds. */
  readonly grepMatches?: number | undefined;
  /** Paths that `fs_grep` does not search, relative to the workspace, with `*` and `?`. */
  readonly grepExcludes?: readonly string[] | undefined;
}

/** A skill that the model may choose. */
export interface ShelvedSkill {
  name: string;
  description: string;
  /** Names of the tools that it adds. */
  tools: readonly string[];
  loaded: boolean;
}

/** A skill that was just loaded. */
export interface LoadedSkill {
  name: string;
  body: string;
  /** Absolute. */
  folder: string | null;
  /** The skill's other files, relative to the folder. */
  files: readonly string[];
  /** Names of the tools that it adds. */
  tools: readonly string[];
}

/** The skills that a run may use. On failure, every method throws ToolFailure, worded for the model. */
export interface SkillShelf {
  list(): Promise<readonly ShelvedSkill[]>;
  load(name: string): Promise<LoadedSkill>;
  unload(name: string): Promise<void>;
}
