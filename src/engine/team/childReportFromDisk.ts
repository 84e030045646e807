import { textOf } from '../messages/message';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { ChildReport } from '../tools/team/teamDesk';
import { childId, exitOf } from './child';
import { answerOf } from './childAnswer';

/** What became of an agent that an earlier run of a session started, by its session; undefined when there is none. */
export async function childReportFromDisk(
  id: string,
  parentSessionId: string,
  sessions: SessionCatalog,
): Promise<ChildReport | undefined> {
  const all = await sessions.list();
  const found = all.find(
    ({ id: sessionId, parent, agent }) =>
      parent?.sessionId === parentSessionId && childId(agent ?? '', sessionId) === id,
  );
  if (!found) return undefined;
  const session = await sessions.open(found.id);
  const same = { id, agent: found.agent ?? '', session_id: found.id };
  const end = session.history.findLast((entry) => entry.type === 'run-finished');
  if (session.interrupted || end?.type !== 'run-finished') {
    const last = session.messages.findLast((message) => message.role === 'assistant');
    const exit_status = `Failed("the program ended while it worked; go on with session_id ${found.id}")`;
    return { ...same, state: 'interrupted', exit_status, output: last ? textOf(last) : '' };
  }
  return { ...same, ...exitOf(end.outcome), output: answerOf(end.outcome, session) };
}
