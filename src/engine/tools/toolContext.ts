import type { Question, QuestionAnswer } from '../events/question';
import type { FileChange } from '../permissions/approvalHandler';
import type { Verdict } from '../permissions/permissionRule';
import type { SeenFiles } from './files/guard/seenFiles';
import type { LookingSettings } from './files/lookingSettings';
import type { HiddenContext } from './hiddenContext';
import type { SkillShelf } from './skills/skillShelf';
import type { TeamDesk } from './team/teamDesk';
import type { TodoList } from './todos/todoList';
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
