import { isAbort } from '../../base/abort';
import { KeyedMutex } from '../../base/async';
import { type Disposable, Emitter } from '../../base/disposable';
import { newId } from '../../base/newId';
import { fillTemplate } from '../../base/template';
import { specialVariables } from '../content/specialVariables';
import { TokenGauge } from '../context/estimateTokens';
import { EngineError } from '../engineError';
import type { AgentEvent } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import { ScopedEmitter } from '../events/scopedEmitter';
import type { ToolResult } from '../messages/toolCall';
import { type AgentHandle, type KeptOfRun, RunHandle, Steering } from '../run/agentHandle';
import { CallStops, Interrupts, ShutDown } from '../run/interrupts';
import type { RunRequest } from '../run/runRequest';
import { SentResults } from '../run/sentResults';
import type { AgentSession } from '../sessions/agentSession';
import type { Lineage } from '../team/teamMember';
import { checkMetadata } from '../tools/hiddenContext';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import type { CallPlace, CallShared } from './callTool';
import type { EffectivePrompt } from './effectivePrompt';
import { type PlanRequest, planRun, type RunPlan } from './runPlan';
import { type BegunRun, outcomeOfThrow } from './runStages';

/** Starts agents and tracks the running ones. One run at a time per session, any number of sessions at once. */
export class AgentRuntime {
  private readonly running = new Map<string, RunHandle>();
  private readonly told: Emitter<AgentEvent>;
  private readonly background = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private readonly calls = new KeyedMutex();
  private readonly gauges = new WeakMap<AgentSession, TokenGauge>();

  constructor(private readonly parts: AgentRuntimeParts) {
    this.told = new Emitter((error) => parts.ports.log.error('A listener of all runs threw', error));
  }

  /** Subscribes to the events of every run from now on. */
  onEvent(listener: (event: AgentEvent) => void): Disposable {
    return this.told.on(listener);
  }

  /**
   * `lineage`: for an agent started by another one. Throws EngineError `invalid-state` if the session already has a run, and
   * `invalid-input`.
   */
  start(request: RunRequest, lineage?: Lineage): AgentHandle {
    if (!lineage) this.parts.checkRequest?.(request);
    const { sessionId } = request;
    this.refuseClosed();
    if (this.running.has(sessionId)) throw busy();
    if (request.metadata && !lineage) checkMetadata(request.metadata);
    const begun: BegunRun = {
      id: newId('run'),
      request,
      emitter: this.emitterOf(lineage),
      steering: new Steering(),
      interrupts: new Interrupts(),
      stops: new CallStops(),
      sent: new SentResults(),
      abort: new AbortController(),
      startedAt: this.parts.ports.clock.now(),
      lineage,
    };
    const parent = lineage ? (this.running.get(lineage.parent.sessionId) ?? null) : null;
    const handle = new RunHandle(begun, parent, this.keptIn(sessionId), () => this.carryOut(begun));
    this.running.set(sessionId, handle);
    return handle;
  }

  /** Created outside the run, because its closures would otherwise keep the whole run in memory for as long as anyone holds the handle. */
  private emitterOf(lineage: Lineage | undefined): Emitter<AgentEvent> {
    const { log } = this.parts.ports;
    const emitter = new Emitter<AgentEvent>((error) => log.error('A listener of a run threw', error));
    // Events of an agent that another one started are reported by the latter's run.
    if (!lineage) emitter.on((event) => this.told.emit(event));
    return emitter;
  }

  /** Separate for the same reason. */
  private keptIn(sessionId: string): () => Promise<KeptOfRun> {
    return async () => {
      const { messages, metadata } = await this.parts.sessions.open(sessionId);
      return { history: [...messages], metadata: { ...this.parts.metadata, ...metadata.own } };
    };
  }

  get runs(): readonly AgentHandle[] {
    return [...this.running.values()];
  }

  runOf(sessionId: string): AgentHandle | undefined {
    return this.running.get(sessionId);
  }

  /**
   * `removeSession`: for a call without a session. Rejects as the imported `callTool` does, and with EngineError `invalid-state`
   * after a shutdown.
   */
  async callTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    place: CallPlace,
    removeSession: CallShared['removeSession'],
  ): Promise<ToolResult> {
    this.refuseClosed();
    const { parts, told } = this;
    const key = 'sessionId' in place ? place.sessionId : newId('call');
    const planOf = ({ agent, ...where }: CallPlace) =>
      this.plan({
        model: '',
        ...('sessionId' in where && { sessionId: where.sessionId }),
        ...(agent !== undefined && { agent }),
      });
    const shared = { parts, told, closing: this.closing.signal, planOf, removeSession };
    const work = async () => {
      if (this.running.has(key)) throw busy();
      const { callTool } = await import('./callTool');
      return callTool(shared, name, input, place);
    };
    // One at a time in a session, like runs.
    const called = this.calls.take([key], work, place.signal ?? this.closing.signal);
    this.endsBeforeUs(
      called.then(
        () => undefined,
        () => undefined,
      ),
    );
    return called;
  }

  /** Returns how a request would be carried out. Rejects with EngineError `invalid-input` if it cannot be. */
  async plan(request: PlanRequest & { sessionId?: string }): Promise<RunPlan> {
    const { sessionId } = request;
    const session = sessionId === undefined ? NO_SESSION : (await this.parts.sessions.open(sessionId)).metadata;
    return planned(await planRun(this.parts, request, session));
  }

  /** Returns the messages that the agent suggests to start with. */
  async starters(request: PlanRequest & { sessionId?: string }): Promise<string[]> {
    const { agent, variables } = await this.plan({ ...request, model: '' });
    const { sessions, machine, ports, tools } = this.parts;
    const workspace =
      request.sessionId === undefined ? '' : (await sessions.open(request.sessionId)).metadata.workspace;
    const special = specialVariables({ ...machine, workspace, now: ports.clock.now(), tools: tools.current.all });
    const values = { get: (name: string) => variables.values.get(name) ?? special.get(name) };
    return agent.starters.map((text) => fillTemplate(text, values));
  }

  /** Returns the prompt and tools the agent would get in a session, or in a new one of a workspace. Rejects as `plan` does. */
  async effectivePrompt(agent: string, where: PromptPlace): Promise<EffectivePrompt> {
    const { sessions, permissions, scope } = this.parts;
    const session = 'sessionId' in where ? await sessions.open(where.sessionId) : sessionToBe(where.workspace);
    const plan = planned(await planRun(this.parts, { agent }, session.metadata));
    const { user, workspace } = await permissions.rulesFor(session.metadata.workspace);
    const { deniedOutright } = await import('../permissions/toolPolicy');
    const { matcherRules } = await import('../permissions/program/matcherRules');
    const program = matcherRules(permissions.program.all);
    const { toolsAtHand } = await import('./toolsAtHand');
    const { all } = await toolsAtHand(this.parts, session.metadata.workspace, plan, plan.variables.values);
    const offered = all.without(
      (tool) => deniedOutright(tool, [program]) || deniedOutright(tool, [user, session.rules, workspace]),
    );
    const { effectivePrompt } = await import('./effectivePrompt');
    const workMode = session.metadata.workMode ?? plan.agent.workMode ?? 'agent';
    return effectivePrompt(this.parts, { plan, session, tools: offered, place: scope(), workMode });
  }

  /** Cancels the run of a session about to be deleted. Resolves when the run is over. */
  async end(sessionId: string): Promise<void> {
    const handle = this.running.get(sessionId);
    handle?.cancel();
    await handle?.outcome;
  }

  /** Ends every run and its processes, as cut off rather than canceled. Resolves when all have ended. */
  async shutDown(): Promise<void> {
    const handles = [...this.running.values()];
    for (const handle of handles) handle.shutDown();
    this.closing.abort(new ShutDown());
    await Promise.all([...handles.map(({ outcome }) => outcome), ...this.background]);
  }

  /** Starts asynchronously, so that the caller can subscribe before the first event. Never rejects. */
  private async carryOut(begun: BegunRun): Promise<RunOutcome> {
    const free = () => this.running.delete(begun.request.sessionId);
    try {
      // Loaded with the first run, because a panel that is only viewed needs none of it.
      const [{ AgentRun }, { checkRunRequest }] = await Promise.all([
        import('./agentRun'),
        import('./checkRunRequest'),
      ]);
      if (!begun.lineage && !this.parts.checkRequest) checkRunRequest(begun.request);
      return await new AgentRun(this.parts, begun, {
        gaugeOf: (session) => this.gaugeOf(session),
        start: (request, lineage) => this.start(request, lineage),
        free,
        inBackground: (work) => this.inBackground(work),
        closing: this.closing.signal,
      }).carryOut();
    } catch (error) {
      // Only if the request is invalid or the installation is damaged and its files cannot be loaded.
      this.parts.ports.log.error('A run could not begin', error);
      free();
      return this.neverBegun(begun, outcomeOfThrow(error));
    }
  }

  /** Emits the last event, which everyone following the run waits for. */
  private neverBegun({ id, request, emitter, lineage, startedAt }: BegunRun, outcome: RunOutcome): RunOutcome {
    const { ports, defaultAgent } = this.parts;
    const agentPath = [...(lineage?.parent.path ?? []), request.agent ?? defaultAgent];
    const scope = { runId: id, sessionId: request.sessionId, agentPath };
    const durationMs = ports.clock.now() - startedAt;
    new ScopedEmitter(emitter, scope, ports.clock, ports).emit({ type: 'run-finished', outcome, durationMs });
    return outcome;
  }

  private refuseClosed(): void {
    if (!this.closing.signal.aborted) return;
    throw new EngineError('invalid-state', 'This engine was shut down. Create another one to run agents.');
  }

  private gaugeOf(session: AgentSession): TokenGauge {
    const gauge = this.gauges.get(session) ?? new TokenGauge();
    this.gauges.set(session, gauge);
    return gauge;
  }

  private inBackground(work: (signal: AbortSignal) => Promise<void>): void {
    const done = work(this.closing.signal).catch((error: unknown) => {
      // The session may have been deleted in the meantime.
      if (!isAbort(error) && !EngineError.is(error, 'not-found'))
        this.parts.ports.log.error('The session could not be named', error);
    });
    this.endsBeforeUs(done);
  }

  /** Makes a shutdown wait for the work, which never rejects. */
  private endsBeforeUs(work: Promise<void>): void {
    this.background.add(work);
    void work.then(() => this.background.delete(work));
  }
}

function busy(): EngineError {
  const text = 'This session already has a run in progress. Stop it first, or send the message to it.';
  return new EngineError('invalid-state', text);
}

/** Stands in when there is no session yet. */
const NO_SESSION = { workMode: null, agent: null, role: null, model: null, variables: {} };

/** A session, or the absolute path of the folder in which one would start. */
export type PromptPlace = { sessionId: string } | { workspace: string };

function sessionToBe(workspace: string) {
  const metadata = { ...NO_SESSION, workspace, skills: [], skillPolicy: {} };
  const nothing = () => Promise.resolve();
  const unkept = { configure: nothing, note: nothing, tell: nothing, add: nothing };
  return { metadata, messages: [], rules: [], told: undefined, ...unkept };
}

function planned(plan: RunPlan | RunOutcome): RunPlan {
  if (plan.kind === 'planned') return plan;
  if (plan.kind !== 'failed') throw new EngineError('invalid-input', plan.kind);
  throw new EngineError(plan.reason === 'no-key' ? 'no-key' : 'invalid-input', plan.message);
}
