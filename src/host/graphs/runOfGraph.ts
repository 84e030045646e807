import { errorText } from '../../base/errors';
import { clipEnd } from '../../base/truncate';
import { type GraphRecord, type KnownRun, visitDetail } from '../../engine';
import type { GraphRunView, VisitDetailView, VisitState, VisitView } from '../../protocol/graphPage';

/** A state may contain whole files. */
const MOST_TEXT = 20_000;
const MOST_STATE = 200_000;
const MOST_VALUE = 4_000;
const MOST_CALLS = 300;

/** Returns a run in the form shown on its page. `isCarriedOut`: whether a process is executing it. */
export function runOfGraph(
  { view }: KnownRun,
  isCarriedOut: boolean,
  { detail, comparison }: Pick<GraphRunView, 'detail' | 'comparison'>,
): GraphRunView {
  const { nodes, prompt, beganAt, endedAt, tokens, costUsd, answer, message } = view;
  const visits = nodes.map((node) => visitOf(node, nodes, isCarriedOut));
  const isAsking = visits.some(({ state }) => state === 'asking');
  const open = isCarriedOut ? (isAsking ? 'asking' : 'running') : 'interrupted';
  const end = answer ?? message;
  return {
    state: view.state === 'open' ? open : view.state,
    prompt: clipEnd(prompt, MOST_VALUE),
    beganAt,
    endedAt,
    tokens,
    costUsd,
    visits,
    detail,
    comparison,
    end: end === undefined ? null : clipEnd(end, MOST_TEXT),
  };
}

type Visit = KnownRun['view']['nodes'][number];

function visitOf(visit: Visit, all: readonly Visit[], isCarriedOut: boolean): VisitView {
  const { node, step, beganAt, durationMs, message, sessionId, branches } = visit;
  // A visit that was interrupted and started again has no end either.
  const isOpen = isCarriedOut && all.findLast((one) => one.node === node && one.step === step) === visit;
  const { asks, tries, items, itemsAround, tokens, costUsd, targets } = visit;
  return {
    node,
    step,
    beganAt,
    asks,
    tries,
    items,
    itemsAround,
    tokens,
    costUsd,
    targets,
    state: stateOf(visit, isOpen),
    branches: isOpen ? branches : branches.map((one) => ({ ...one, begun: 0, stopped: one.stopped + one.begun })),
    waitedFrom: waitedFrom(visit, all),
    endedAt: durationMs === null ? null : beganAt + durationMs,
    message: message === undefined ? null : clipEnd(message, MOST_VALUE),
    sessionId: sessionId ?? null,
  };
}

function stateOf({ state, asks }: Visit, isCarriedOut: boolean): VisitState {
  if (state !== 'begun') return state;
  if (!isCarriedOut) return 'stopped';
  return asks.some(({ to }) => to === null) ? 'asking' : 'running';
}

/** The earliest end of the visits that led here, because a step begins only when all of the previous step are done. */
function waitedFrom({ node, step, beganAt }: Visit, all: readonly Visit[]): number {
  const before = all.filter((one) => one.step === step - 1 && one.targets.includes(node) && one.durationMs !== null);
  return Math.min(beganAt, ...before.map((one) => one.beganAt + (one.durationMs ?? 0)));
}

/** What a node did in a step, as text. */
export async function detailOf(record: GraphRecord, at: { node: string; step: number }): Promise<VisitDetailView> {
  const where = { node: at.node, step: at.step };
  try {
    const { prompt, output, calls, before, changes } = await visitDetail(record, at);
    const state = JSON.stringify(Object.fromEntries(before), null, 2);
    return Object.assign(where, {
      prompt: prompt === undefined ? null : clipEnd(prompt, MOST_TEXT),
      output: output === undefined ? null : asText(output, MOST_TEXT),
      calls: calls.slice(0, MOST_CALLS).map(({ tool, title, status, durationMs, index }) => {
        return { tool, title: clipEnd(title, 500), status, durationMs, item: index === undefined ? null : index + 1 };
      }),
      moreCalls: Math.max(0, calls.length - MOST_CALLS),
      before: clipEnd(state, MOST_STATE),
      isWhole: state.length <= MOST_STATE,
      changes: changes.map((change) => ({
        key: change.key,
        before: change.before === undefined ? null : asText(change.before, MOST_VALUE),
        after: asText(change.after, MOST_VALUE),
      })),
      problem: null,
    });
  } catch (error) {
    const nothing = { prompt: null, output: null, calls: [], moreCalls: 0, before: '', isWhole: false, changes: [] };
    return Object.assign(where, nothing, { problem: errorText(error) });
  }
}

function asText(value: unknown, most: number): string {
  return clipEnd(typeof value === 'string' ? value : JSON.stringify(value, null, 2), most);
}
