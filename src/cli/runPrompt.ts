import { type ApprovalMode, type AgentSession, type Engine, titleFrom, type UserInput } from '../engine';
import { exitStatus } from './exitStatus';
import { type OutputStreams, runOutput } from './output';
import type { ApproveChoice, CliArguments } from './parseArguments';
import { UsageError } from './usageError';

const MODES: Record<ApproveChoice, ApprovalMode> = {
  ask: 'edits-and-commands',
  edits: 'commands',
  all: 'nothing',
  none: 'edits-and-commands',
};

export interface PromptRun {
  engine: Engine;
  args: CliArguments;
  approve: ApproveChoice;
  folder: string;
  input: UserInput;
  streams: OutputStreams;
  /** Calls `cancel` when the person or the system wants the run to end. */
  onInterrupt(cancel: () => void): void;
}

/** One run to its end; gives the exit status. */
export async function runPrompt(run: PromptRun): Promise<number> {
  const { engine, args, input, streams } = run;
  const approvalMode = MODES[run.approve];
  const session = await openSession(run, approvalMode);
  const model = args.model ?? session.metadata.model ?? (await engine.defaultModel());
  const { prices } = engine.describeModel(model);
  if (args.maxCostUsd !== undefined && !prices) {
    throw new UsageError(
      `the prices of ${model} are not known, so --max-cost cannot be held. Use --max-turns or --max-time.`,
    );
  }
  const output = runOutput(args.output, streams);
  const limits = {
    ...(args.maxTurns !== undefined && { turns: args.maxTurns }),
    ...(args.maxTimeMs !== undefined && { timeMs: args.maxTimeMs }),
    ...(args.maxCostUsd !== undefined && { costUsd: args.maxCostUsd }),
  };
  const chosen = args.agent === undefined ? {} : { agent: args.agent };
  const handle = engine.run({ sessionId: session.id, input, model, approvalMode, limits, ...chosen });
  handle.subscribe((event) => output.onEvent(event));
  run.onInterrupt(() => handle.cancel());
  const outcome = await handle.outcome;
  output.finish(outcome, { sessionId: session.id, model });
  return exitStatus(outcome);
}

async function openSession(
  { engine, args, folder, input }: PromptRun,
  approvalMode: ApprovalMode,
): Promise<AgentSession> {
  const { sessions } = engine;
  const fresh = {
    workspace: folder,
    model: args.model ?? null,
    approvalMode,
    title: titleFrom(input.text),
    agent: args.agent ?? null,
  };
  if (args.session === undefined) return sessions.create({ ...fresh, name: null });
  if (args.session !== '') return sessions.openOrCreate(args.session, fresh);
  const newest = (await sessions.list()).find(({ workspace }) => workspace === folder);
  return newest ? sessions.open(newest.id) : sessions.create({ ...fresh, name: null });
}
