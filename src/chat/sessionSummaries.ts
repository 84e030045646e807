import type { Engine, SessionMetadata } from '../engine';
import type { SessionSummary } from '../protocol/hostApi';
import type { LiveChat } from './liveChat';

type Shown = ReadonlyMap<string, Pick<LiveChat, 'told'>>;

/** Returns the non-empty sessions, in their order, with the sessions of agents nested below them. `shown`: by session id. */
export function sessionSummaries(
  sessions: readonly SessionMetadata[],
  engine: Pick<Engine, 'runOf'>,
  shown: Shown,
): SessionSummary[] {
  const all = sessions.filter(({ title }) => title !== '');
  const ids = new Set(all.map(({ id }) => id));
  const waiting = waitingSessions(shown);
  const below = (one: SessionMetadata) => all.filter(({ parent }) => parent?.sessionId === one.id);
  const summary = (one: SessionMetadata): SessionSummary => {
    const children = below(one).map(summary).reverse();
    return {
      sessionId: one.id,
      title: one.title,
      modifiedAt: one.modifiedAt,
      opening: one.opening,
      running: engine.runOf(one.id) !== undefined,
      activity: shown.get(one.id)?.told.run?.activity ?? null,
      costUsd: children.reduce((sum, { costUsd }) => sum + costUsd, one.spent.costUsd),
      files: one.spent.files,
      isFavorite: one.isFavorite,
      waiting: waiting.has(one.id) || children.some((child) => child.waiting),
      agent: one.parent ? one.agent : null,
      children,
    };
  };
  return all.filter(({ parent }) => !parent || !ids.has(parent.sessionId)).map(summary);
}

/** Sessions with a pending request for the user. If an agent asks, its own session counts. */
function waitingSessions(shown: Shown): Set<string> {
  const asking = [...shown.values()].flatMap(({ told }) =>
    [...told.approvals, ...told.questions].map(({ entryId }) => {
      const entry = told.entries.findLast(({ id }) => id === entryId);
      return entry?.kind === 'agent' ? entry.sessionId : told.sessionId;
    }),
  );
  return new Set(asking);
}
