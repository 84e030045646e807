import type { Question, QuestionAnswer } from '../events/question';
import type { FileChange } from '../permissions/approvalHandler';
import type { SeenFiles } from './files/guard/seenFiles';
import type { LookingSettings } from './files/lookingSettings';
import type { HiddenContext } from './hiddenContext';
import type { SkillShelf } from './skills/skillShelf';
import type { TeamDesk } from './team/teamDesk';
import type { TodoList } from './todos/todoList';
import type { ToolOutput } from './toolOutput';

/** A file of the session that a tool fills as it goes. */
export interface OutputFile {
  /** Absolute. */
  readonly path: string;
  append(text: string): Promise<void>;
}

/** What a tool knows of where it runs. The model sees none of it. */
export interface ToolContext extends HiddenContext {
  /** Aborts when the run is cancelled, or when the person stops just this call. */
  readonly signal: AbortSignal;
  /** Absolute folder against which relative paths are meant. */
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
  /** What the agent wants of the tools that look at files. */
  readonly looking?: LookingSettings | undefined;
  /** What `preview` computed and was approved, with what the person changed in it; absent for tools without one. */
  readonly change?: FileChange;
  /** Takes known secrets out of a text. */
  readonly strike: (text: string) => string;
  /** Shows output while the tool runs. */
  report(chunk: string): void;
  /** Asks the person, until the signal aborts where there is one. Rejects only with AbortError. */
  ask(
    question: Pick<Question, 'question' | 'kind' | 'options' | 'server'>,
    signal?: AbortSignal,
  ): Promise<QuestionAnswer>;
  /** Keeps an output that is too long for the model in a file of the session and gives its absolute path. */
  saveOutput(text: string): Promise<string>;
  /**
   * Waits for the result that a program sends for this call, unless `begin` gives one. Rejects like `begin`, with ToolFailure
   * when the program says that the call failed, and with AbortError.
   */
  untilSent(begin: () => Promise<ToolOutput | undefined>, signal: AbortSignal): Promise<ToolOutput>;
  /** True when a permission rule allows this tool the network and names this host. */
  namesHost(tool: string, host: string): Promise<boolean>;
  /** Makes such a file to be filled piece by piece; it may be filled after the call has ended. */
  openOutput(): Promise<OutputFile>;
}
