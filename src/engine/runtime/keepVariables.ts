import type { RunRequest } from '../run/runRequest';
import type { AgentSession } from '../sessions/agentSession';
import type { RunPlan } from './runPlan';

/** What somebody said for this session is kept with it; defaults and the environment are looked at anew each time. */
export async function keepVariables(
  session: AgentSession,
  { variables: given = {} }: RunRequest,
  { variables: before }: RunPlan,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  const answered = Object.fromEntries([...values].filter(([name]) => !before.values.has(name)));
  const known = session.metadata.variables;
  const said = Object.entries({ ...given, ...answered });
  if (said.some(([name, value]) => known[name] !== value)) {
    await session.configure({ variables: { ...known, ...Object.fromEntries(said) } });
  }
}
