import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { clipEnd } from '../../base/truncate';
import type { UnseenProgram } from '../permissions/permissionRule';
import type { FileSystem, PathStyle } from '../ports';
import { pluginTool, type PluginInput, type PluginToolContext } from '../tools/plugin/pluginTool';
import type { AnyTool } from '../tools/tool';
import { ToolFailure } from '../tools/toolFailure';
import type { ToolOutput } from '../tools/toolOutput';
import type { ToolPlace, ToolUser } from '../tools/toolSource';
import type { ScriptConsent, ScriptConsents } from './scriptConsents';
import type { ScriptFunction } from './scriptDescription';
import { type EnvironmentParts, scriptEnvironment } from './scriptEnvironment';
import type { KnownScript, ScriptFiles } from './scriptFiles';
import type { ScriptEnd, ScriptRunner } from './scriptRunner';

export interface ScriptToolParts extends EnvironmentParts {
  ports: { files: FileSystem; paths: PathStyle };
  scripts: ScriptFiles;
  consents: ScriptConsents;
  runner: () => Promise<ScriptRunner>;
}

/** What is needed to run a script. */
type RunParts = EnvironmentParts & Pick<ScriptToolParts, 'ports' | 'runner'>;

/** A function of a script, offered to an agent. */
export interface OfferedScript {
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
export class SeenScript {
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
