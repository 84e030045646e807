import { isAbort } from '../../base/abort';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { errorText } from '../../base/errorText';
import { newId } from '../../base/newId';
import { fillTemplate } from '../../base/template';
import { specialVariables } from '../content/specialVariables';
import { TokenGauge } from '../context/tokenGauge';
import { EngineError } from '../engineError';
import type { AgentEvent } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import { ScopedEmitter } from '../events/scopedEmitter';
import { struckOutcome } from '../events/struckOutcome';
import { holdSession } from '../run/holdSession';
import { limitTime, outcomeInTime } from '../run/limitTime';
import { CallStops } from '../run/callStops';
import type { RunRequest } from '../run/runRequest';
import { isShutDown, ShutDown } from '../run/shutDown';
import { Steering } from '../run/steering';
import type { AgentSession } from '../sessions/agentSession';
import { type UserInput, userMessage } from '../messages/message';
import type { SessionHold } from '../sessions/sessionStore';
import { checkMetadata } from '../tools/hiddenContext';
import { type AgentHandle, RunHandle } from './agentHandle';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import type { EffectivePrompt } from './effectivePrompt';
import { outcomeOfThrow } from './outcomeOfThrow';
import { planRun, type PlanRequest, type RunPlan } from './runPlan';
import type { RunSetUp } from './runSetUp';
import type { Lineage } from './team/teamMember';

/** Starts agents and knows which are running. One run at a time for each session; many sessions at once. */
export class AgentRuntime {
  private readonly running = new Map<string, RunHandle>();
  private readonly told: Emitter<AgentEvent>;
  private readonly background = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private readonly gauges = new WeakMap<AgentSession, TokenGauge>();

  constructor(private readonly parts: AgentRuntimeParts) {
    this.told = new Emitter((error) => parts.ports.log.error('A listener of all runs threw', error));
  }

  /** Everything that happens in every run from now on. */
  onEvent(listener: (event: AgentEvent) => void): Disposable {
    return this.told.on(listener);
  }

  /** `lineage`: of an agent that another one starts. Throws EngineError `invalid-state` when the session has a run under way, and `invalid-input`. */
  start(request: RunRequest, lineage?: Lineage): AgentHandle {
    const { sessionId } = request;
    if (this.closing.signal.aborted) {
      throw new EngineError('invalid-state', 'This engine was shut down. Make another one to run agents.');
    }
    if (this.running.has(sessionId)) {
      throw new EngineError(
        'invalid-state',
        'This session has a run under way. Stop it first, or send it the message.',
      );
    }
    if (request.metadata && !lineage) checkMetadata(request.metadata);
    const { ports } = this.parts;
    const { clock } = ports;
    const emitter = this.emitterOf(lineage);
    const id = newId('run');
    const above = lineage?.parent.path ?? [];
    const scope = { runId: id, sessionId, agentPath: [...above, request.agent ?? this.parts.defaultAgent] };
    const abort = new AbortController();
    const run: RunSetUp = {
      request,
      id,
      emitter,
      scoped: new ScopedEmitter(emitter, scope, clock, ports),
      middleware: this.parts.middleware.at({ ...scope, signal: abort.signal }),
      steering: new Steering(),
      stops: new CallStops(),
      abort,
      startedAt: clock.now(),
      above,
      lineage,
    };
    const { steering, stops } = run;
    const parent = lineage ? (this.running.get(lineage.parent.sessionId) ?? null) : null;
    const handle = new RunHandle({ id, sessionId, emitter, steering, stops, abort, parent }, async () => {
      // Later, so that whoever starts a run can subscribe before its first event.
      await Promise.resolve();
      return this.carryOut(run);
    });
    this.running.set(sessionId, handle);
    return handle;
  }

  /** Made apart from the run, all of which its functions would keep in memory with it as long as somebody has the handle. */
  private emitterOf(lineage: Lineage | undefined): Emitter<AgentEvent> {
    const { log } = this.parts.ports;
    const emitter = new Emitter<AgentEvent>((error) => log.error('A listener of a run threw', error));
    // What those do that another agent started is told by its run.
    if (!lineage) emitter.on((event) => this.told.emit(event));
    return emitter;
  }

  get runs(): readonly AgentHandle[] {
    return [...this.running.values()];
  }

  runOf(sessionId: string): AgentHandle | undefined {
    return this.running.get(sessionId);
  }

  /** How a request would be carried out. Rejects with EngineError `invalid-input` when it cannot be. */
  async plan(request: PlanRequest & { sessionId?: string }): Promise<RunPlan> {
    const { sessionId } = request;
    const session = sessionId === undefined ? NO_SESSION : (await this.parts.sessions.open(sessionId)).metadata;
    return planned(await planRun(this.parts, request, session));
  }

  /** What the agent proposes to begin with. */
  async starters(request: PlanRequest & { sessionId?: string }): Promise<string[]> {
    const { agent, variables } = await this.plan({ ...request, model: '' });
    const { sessions, machine, ports, tools } = this.parts;
    const workspace =
      request.sessionId === undefined ? '' : (await sessions.open(request.sessionId)).metadata.workspace;
    const special = specialVariables({ ...machine, workspace, now: ports.clock.now(), tools: tools.current.all });
    const values = { get: (name: string) => variables.values.get(name) ?? special.get(name) };
    return agent.starters.map((text) => fillTemplate(text, values));
  }

  /** What the agent would be given in a session, or in a new one of a workspace. Rejects as `plan` does. */
  async effectivePrompt(agent: string, where: PromptPlace): Promise<EffectivePrompt> {
    const { sessions, permissions, tools, scope } = this.parts;
    const session = 'sessionId' in where ? await sessions.open(where.sessionId) : sessionToBe(where.workspace);
    const plan = planned(await planRun(this.parts, { agent }, session.metadata));
    const { user, workspace } = await permissions.rulesFor(session.metadata.workspace);
    const { deniedOutright } = await import('../permissions/deniedOutright');
    const offered = tools.current.without((tool) => deniedOutright(tool, [user, session.rules, workspace]));
    const { effectivePrompt } = await import('./effectivePrompt');
    return effectivePrompt(this.parts, { plan, session, tools: offered, place: scope() });
  }

  /** Cancels the run of a session that is to be deleted; resolves when the run is over. */
  async end(sessionId: string): Promise<void> {
    const handle = this.running.get(sessionId);
    handle?.cancel();
    await handle?.outcome;
  }

  /** Ends every run with its processes, as cut off and not as cancelled; resolves when all have ended. */
  async shutDown(): Promise<void> {
    const handles = [...this.running.values()];
    for (const handle of handles) handle.shutDown();
    this.closing.abort(new ShutDown());
    await Promise.all([...handles.map(({ outcome }) => outcome), ...this.background]);
  }

  private async carryOut(run: RunSetUp): Promise<RunOutcome> {
    const { ports } = this.parts;
    const { clock, log, strike } = ports;
    let outcome: RunOutcome;
    let session: AgentSession | undefined;
    let waited: AgentSession | undefined;
    let hold: SessionHold | undefined;
    run.time = limitTime(run.request.limits?.timeMs, run.abort, clock);
    try {
      await ports.secretsKnown?.();
      const opened = await this.parts.sessions.open(run.request.sessionId);
      const path = [...run.above, run.request.agent ?? opened.metadata.agent ?? this.parts.defaultAgent];
      const scope = { runId: run.id, sessionId: opened.id, agentPath: path };
      run.scoped = new ScopedEmitter(run.emitter, scope, clock, ports);
      run.middleware = this.parts.middleware.at({ ...scope, signal: run.abort.signal });
      waited = opened;
      hold = await holdSession(opened, { emitter: run.scoped, clock, signal: run.abort.signal });
      session = opened;
      // Loaded with the first run, since a panel that is only looked at needs none of it.
      const { AgentRun } = await import('./agentRun');
      outcome = await new AgentRun(this.parts, run, session, {
        gauge: this.gaugeOf(session),
        start: (child, from) => this.start(child, from),
      }).carryOut();
    } catch (error) {
      outcome = outcomeOfThrow(error);
      if (outcome.kind === 'failed' && outcome.reason === 'internal') log.error('A run failed by a defect', error);
    }
    run.time.dispose();
    await run.team?.endAll();
    outcome = outcomeInTime(outcome, run.abort.signal);
    if (strike) outcome = struckOutcome(outcome, strike);
    if (session) await this.keepLate(session, run);
    else if (waited) await this.keepWaiting(waited, run);
    const durationMs = clock.now() - run.startedAt;
    // Without its end the run counts as cut off, and the session offers to go on with it.
    if (!isShutDown(run.abort.signal)) {
      await session?.runFinished(run.id, outcome, durationMs).catch((error: unknown) => {
        log.error('The end of a run could not be written to its session', error);
      });
    }
    await hold?.release().catch((error: unknown) => log.warn(errorText(error)));
    this.running.delete(run.request.sessionId);
    run.scoped.emit({ type: 'run-finished', outcome, durationMs });
    if (outcome.kind === 'completed' && run.afterwards) this.inBackground(run.afterwards);
    return outcome;
  }

  /** What the person sent too late for the model to see is kept, and answered with the next run. */
  private async keepLate(session: AgentSession, run: RunSetUp): Promise<void> {
    const { steering, scoped } = run;
    for (const input of steering.close()) {
      const message = userMessage(await this.changed(input, run), this.parts.ports.clock.now(), true);
      try {
        await session.add(message);
        scoped.emit({ type: 'message-taken', message });
      } catch (error) {
        this.notKept(scoped, error);
      }
    }
  }

  /** The run never had the session, so what was said is kept beside it. */
  private async keepWaiting(session: AgentSession, run: RunSetUp): Promise<void> {
    const { request, steering, scoped } = run;
    const late = steering.close();
    if (request.callerKeepsInput) return;
    const now = this.parts.ports.clock.now();
    const changed = (input: string | UserInput) => this.changed(input, run);
    const opening = request.input === undefined ? [] : [userMessage(await changed(request.input), now, false)];
    const others = await Promise.all(late.map(changed));
    const messages = [...opening, ...others.map((input) => userMessage(input, now, true))];
    if (messages.length > 0) await session.keepWaiting(messages).catch((error: unknown) => this.notKept(scoped, error));
  }

  /** What a middleware makes of a message that its run never took; the message as it is, where one fails. */
  private async changed(input: string | UserInput, { middleware, scoped }: RunSetUp): Promise<UserInput> {
    const written = typeof input === 'string' ? { text: input } : input;
    // The run may have been cancelled, and its words are kept all the same.
    return middleware
      .until(this.closing.signal)
      .onUserMessage(written)
      .catch((error: unknown) => {
        if (!isAbort(error)) scoped.emit({ type: 'notice', level: 'warning', text: errorText(error) });
        return written;
      });
  }

  private notKept(scoped: ScopedEmitter, error: unknown): void {
    this.parts.ports.log.error('A message could not be written to its session', error);
    scoped.emit({ type: 'notice', level: 'warning', text: `A message could not be kept: ${errorText(error)}` });
  }

  private gaugeOf(session: AgentSession): TokenGauge {
    const gauge = this.gauges.get(session) ?? new TokenGauge();
    this.gauges.set(session, gauge);
    return gauge;
  }

  private inBackground(work: (signal: AbortSignal) => Promise<void>): void {
    const done = work(this.closing.signal)
      .catch((error: unknown) => {
        // The session may have been deleted meanwhile.
        if (!isAbort(error) && !EngineError.is(error, 'not-found'))
          this.parts.ports.log.error('The session could not be named', error);
      })
      .finally(() => this.background.delete(done));
    this.background.add(done);
  }
}

/** Before there is a session. */
const NO_SESSION = { agent: null, role: null, model: null, variables: {} };

/** A session, or the absolute folder in which one would begin. */
export type PromptPlace = { sessionId: string } | { workspace: string };

function sessionToBe(workspace: string) {
  const metadata = { ...NO_SESSION, workspace, skills: [], skillPolicy: {} };
  const nothing = () => Promise.resolve();
  const unkept = { configure: nothing, note: nothing, tell: nothing, add: nothing };
  return { metadata, messages: [], rules: [], told: undefined, ...unkept };
}

function planned(plan: RunPlan | RunOutcome): RunPlan {
  if (!('kind' in plan)) return plan;
  if (plan.kind !== 'failed') throw new EngineError('invalid-input', plan.kind);
  throw new EngineError(plan.reason === 'no-key' ? 'no-key' : 'invalid-input', plan.message);
}
