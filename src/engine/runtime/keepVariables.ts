import type { RunRequest } from '../run/runRequest';
import type { AgentSession } from '../sessions/agentSession';
import type { RunPlan } from './runPlan';

/**
 * What somebody said for this session is kept with it; defaults and the environment are looked at anew each time. What holds
 * a secret that `strike` knows is not kept, and has to be said anew for the next run.
 */
export async function keepVariables(
  session: AgentSession,
  { variables: given = {} }: RunRequest,
  { variables: before }: RunPlan,
  values: ReadonlyMap<string, string>,
  strike: (text: string) => string = (text) => text,
): Promise<void> {
  const answered = Object.fromEntries([...values].filter(([name]) => !before.values.has(name)));
  const known = session.metadata.variables;
  const said = Object.entries({ ...given, ...answered }).filter(([, value]) => strike(value) === value);
  if (said.some(([name, value]) => known[name] !== value)) {
    await session.configure({ variables: { ...known, ...Object.fromEntries(said) } });
  }
}
