import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { clipEnd } from '../../base/truncate';
import type { Question, QuestionAnswer } from '../events/agentEvent';
import type { UnseenProgram } from '../permissions/permissionRule';
import type { FileSystem, PathStyle } from '../ports';
import { type PluginInput, pluginTool, type PluginToolContext } from '../tools/plugin/pluginTool';
import type { AnyTool } from '../tools/tool';
import { ToolFailure, type ToolOutput } from '../tools/toolOutput';
import type { GraphScript, ToolPlace, ToolUser } from '../tools/toolSource';
import type { ScriptFile, ScriptFunction, ScriptKind } from './scriptDescription';
import { type EnvironmentParts, scriptEnvironment } from './scriptEnvironment';
import type { KnownScript, ScriptConsent, ScriptConsents, ScriptFiles } from './scriptFiles';

interface ScriptToolParts extends EnvironmentParts {
  ports: { files: FileSystem; paths: PathStyle };
  scripts: ScriptFiles;
  consents: ScriptConsents;
  runner: () => Promise<ScriptRunner>;
}

/** What is needed to run a script. */
type RunParts = EnvironmentParts & Pick<ScriptToolParts, 'ports' | 'runner'>;

/** A function of a script, offered to an agent. */
interface OfferedScript {
  readonly script: KnownScript;
  readonly called: ScriptFunction;
  readonly consent: ScriptConsent;
  readonly place: ToolPlace;
  readonly user: ToolUser;
}

/**
 * Returns the script's tool as agents get it, judged as a command. A workspace's script asks with its whole text until the user
 * has seen it, and again when it has changed.
 */
export function scriptTool(offered: OfferedScript, parts: ScriptToolParts): AnyTool {
  const state = new SeenScript(offered, parts);
  const { name, description, inputSchema } = offered.called;
  const made = pluginTool({
    name,
    description,
    inputSchema,
    category: 'execute',
    title: (input) => titleOf(name, input),
    run: async (input, context) => {
      const script = await state.readAgain();
      const called = script.description.functions.find((one) => one.name === name);
      if (!called) throw new ToolFailure('failed', `${script.file.path} no longer has a working tool ${name}.`);
      return runScript({ ...offered, script, called }, input, context, parts);
    },
  });
  return {
    ...made,
    traits: {
      kind: 'scripts',
      doing: 'Running',
      ...(offered.script.kind === 'agent' && { isOwn: true }),
      ...(offered.script.scope === 'workspace' && { isOfWorkspace: true }),
    },
    bind(value) {
      const bound = made.bind(value);
      const unseen = bound.ok ? state.unseen(bound.call.title) : undefined;
      if (!bound.ok || !unseen) return bound;
      return { ok: true, call: { ...bound.call, permission: { ...bound.call.permission, unseen } } };
    },
  };
}

/** Tracks during a run whether the user has seen a script. */
class SeenScript {
  private script: KnownScript;
  private consent: ScriptConsent;

  constructor(
    private readonly offered: Pick<OfferedScript, 'script' | 'consent' | 'place'>,
    private readonly parts: Pick<ScriptToolParts, 'ports' | 'scripts' | 'consents'>,
  ) {
    this.script = offered.script;
    this.consent = offered.consent;
  }

  /** Returns what must be shown before the script runs, if anything. */
  unseen(title: string): UnseenProgram | undefined {
    if (this.consent === 'seen') return undefined;
    const { file, description, programFolder } = this.script;
    const what = this.consent === 'changed' ? 'has changed since you last saw it' : 'runs for the first time';
    const variables = description.variables.map(({ name }) => name).join(', ');
    const given = variables === '' ? '' : ` It is given ${variables}.`;
    const shown = (path: string) => this.parts.ports.paths.relative(this.offered.place.workspace, path);
    const first = programFolder === undefined ? '' : ` It uses the programs in ${shown(programFolder)} before others.`;
    return {
      why: `The script ${shown(file.path)} of this workspace ${what}. Check what it does.${given}${first}`,
      text: `${title}\n\n${file.text.trimEnd()}`,
    };
  }

  /** Returns the script to run, which is the one that was approved. Throws ToolFailure if it has changed since then. */
  async readAgain(): Promise<KnownScript> {
    const { scripts, consents } = this.parts;
    const now = await scripts.again(this.script, this.offered.place.workspace);
    const wasDecided = now.digest === this.script.digest || now.scope === 'person';
    this.script = now;
    if (!wasDecided) {
      this.consent = await consents.stateOf(now);
      throw new ToolFailure('failed', `${now.file.path} has just been changed, so nothing was run. Call it again.`);
    }
    if (this.consent !== 'seen') {
      await consents.remember(now);
      this.consent = 'seen';
    }
    return now;
  }
}

function titleOf(name: string, input: PluginInput): string {
  const given = Object.entries(input).map(([key, value]) => `${key}: ${clipEnd(JSON.stringify(value), 80)}`);
  return clipEnd(given.length === 0 ? `Run ${name}` : `Run ${name} (${given.join(', ')})`, 200);
}

type Running = Pick<PluginToolContext, 'workspace' | 'signal' | 'ask' | 'report'>;

async function runScript(
  { script, called, place, user }: Omit<OfferedScript, 'consent'>,
  input: PluginInput,
  context: Running,
  parts: RunParts,
): Promise<ToolOutput> {
  try {
    const runner = await parts.runner();
    const end = await runner.run(
      {
        script: script.file,
        kind: script.kind,
        called,
        input,
        workspace: context.workspace,
        trustsWorkspace: place.isHeard,
        environment: await scriptEnvironment({ script, called, user }, parts),
        programFolders: script.programFolder === undefined ? [] : [script.programFolder],
        ask: (question) => context.ask(question),
        onOutput: (chunk) => context.report(chunk),
      },
      context.signal,
    );
    return outputOf(called.name, end);
  } catch (error) {
    if (isAbort(error) || error instanceof ToolFailure) throw error;
    throw new ToolFailure('failed', errorText(error));
  }
}

const INSTRUCTIONS: ScriptFunction = {
  name: '_instructions',
  description: '',
  inputSchema: { type: 'object' },
  entry: '_instructions',
  parameters: [],
  takes: 'each',
  line: 1,
};
/** Kept short, because the run cannot start before it is done. */
const INSTRUCTIONS_MS = 60_000;

/** Returns the instructions from an agent's script. Rejects with ToolFailure if it fails or returns nothing, and with AbortError. */
export async function scriptInstructions(
  of: Pick<OfferedScript, 'script' | 'place' | 'user'>,
  parts: RunParts,
  signal: AbortSignal,
): Promise<string> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(INSTRUCTIONS_MS)]);
  const context: Running = {
    workspace: of.place.workspace,
    signal: inTime,
    ask: () => Promise.resolve({ kind: 'nobody' }),
    report: () => undefined,
  };
  try {
    const { text } = await runScript({ ...of, called: INSTRUCTIONS }, {}, context, parts);
    return text;
  } catch (error) {
    if (!inTime.aborted || signal.aborted) throw error;
    throw new ToolFailure('failed', `${of.script.file.path} did not return them within a minute.`);
  }
}

/** Returns what the script wrote to `LLM_OUTPUT`, or else what it printed. If it failed, throws a ToolFailure that contains both. */
function outputOf(name: string, end: ScriptEnd): ToolOutput {
  const { exitCode, signal, printed, errors, isCut } = end;
  const result = `${end.result.trimEnd()}${isCut ? '\n(There was more, which was cut.)' : ''}`;
  const said = result === '' ? printed.trimEnd() : result;
  if (exitCode === 0 && said === '' && name === INSTRUCTIONS.name) {
    throw new ToolFailure('failed', 'Its function _instructions returned nothing.');
  }
  if (exitCode === 0) return { text: said === '' ? `${name} finished without output.` : said };
  const how = signal === null ? `with exit code ${exitCode}` : `by the signal ${signal}`;
  const parts = [`${name} ended ${how}.`, errors.trim(), said === '' ? '' : `Its output:\n${said}`];
  throw new ToolFailure('failed', parts.filter((part) => part !== '').join('\n'));
}

/** Stands for the whole script. */
const WHOLE: ScriptFunction = {
  name: 'main',
  description: '',
  inputSchema: { type: 'object' },
  entry: '',
  parameters: [],
  takes: 'each',
  line: 1,
};

/**
 * Returns the tool for a script that a graph node runs. A script of the user's own agent is part of the agent, which the user
 * chose. One from a workspace is judged as a command, and asks with its whole text until the user has seen it. In a read-only
 * mode, every script is judged as a command.
 */
export function graphScriptTool(
  offered: Omit<OfferedScript, 'called'>,
  { name, file, state, isReadOnly, onPrinted }: GraphScript,
  parts: ScriptToolParts,
): AnyTool {
  const seen = new SeenScript(offered, parts);
  const title = `Run ${file}`;
  const made = pluginTool({
    name,
    description: title,
    inputSchema: { type: 'object' },
    category: isReadOnly || offered.script.scope === 'workspace' ? 'execute' : 'agent',
    timeoutMs: Infinity,
    title: () => title,
    permission: () => ({ subjects: [file] }),
    run: async (_input, context) => {
      const script = await seen.readAgain();
      const { place, user } = offered;
      const runner = await parts.runner();
      const end = await runner.run(
        {
          script: script.file,
          kind: 'graph',
          called: WHOLE,
          input: state,
          workspace: context.workspace,
          trustsWorkspace: place.isHeard,
          environment: await scriptEnvironment({ script, called: WHOLE, user }, parts),
          programFolders: script.programFolder === undefined ? [] : [script.programFolder],
          ask: (question) => context.ask(question),
          onOutput: (chunk) => context.report(chunk),
        },
        context.signal,
      );
      refuseFailed(file, end);
      onPrinted(end.printed);
      return clipEnd(end.printed.trimEnd(), 4000) || 'It printed nothing.';
    },
  });
  return {
    ...made,
    traits: { kind: 'scripts', doing: 'Running', isOwn: true },
    bind(value) {
      const bound = made.bind(value);
      const unseen = bound.ok ? seen.unseen(bound.call.title) : undefined;
      if (!bound.ok || !unseen) return bound;
      return { ok: true, call: { ...bound.call, permission: { ...bound.call.permission, unseen } } };
    },
  };
}

function refuseFailed(file: string, { exitCode, signal, printed, errors }: ScriptEnd): void {
  if (exitCode === 0) return;
  const how = signal === null ? `with exit code ${exitCode}` : `by the signal ${signal}`;
  const said = errors.trim() || printed.trim();
  throw new ToolFailure('failed', `${file} ended ${how}.${said === '' ? '' : ` It said:\n${said}`}`);
}

/** A call of a script's function. */
export interface ScriptCall {
  readonly script: ScriptFile;
  readonly kind: ScriptKind;
  readonly called: ScriptFunction;
  /** Already matches the function's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute path of the folder it runs in. */
  readonly workspace: string;
  /** Whether a Python in the workspace (`.venv`) may run it. */
  readonly trustsWorkspace: boolean;
  /** Added to the environment of commands, which it overrides. */
  readonly environment: ReadonlyMap<string, string>;
  /** Absolute folders searched for programs before others. */
  readonly programFolders: readonly string[];
  /** Asks the user a question of the script. Rejects only with AbortError. */
  ask: (question: Pick<Question, 'question' | 'kind' | 'options'>) => Promise<QuestionAnswer>;
  /** Called with its output as it arrives. */
  onOutput: (chunk: string) => void;
}

/** How a script ended, and its results. */
export interface ScriptEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What it wrote to `LLM_OUTPUT`, truncated if too long. */
  readonly result: string;
  /** True if the result was truncated. */
  readonly isCut: boolean;
  /** The end of its standard output. */
  readonly printed: string;
  /** The end of its standard error. */
  readonly errors: string;
}

export interface ScriptRunner {
  /**
   * Resolves when the script and everything it started have ended. Rejects with AbortError, with EngineError `io` if it could not
   * be started, and with EngineError `invalid-input` for values that cannot be passed to a script.
   */
  run(call: ScriptCall, signal: AbortSignal): Promise<ScriptEnd>;
}
