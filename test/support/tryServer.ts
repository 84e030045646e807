import { join } from 'node:path';
import { temporaryFolder } from '../node/temporaryFolder';
import { processesIn } from '../soak/processesIn';
import { aMoment } from './aMoment';
import { withOneMcpServer } from './oneMcpServer';
import { NOTES, type RealServer } from './realServers';

/** What a server did. */
interface Tried {
  readonly tools: number;
  /** Why tools were left out. */
  readonly problems: readonly string[];
  /** What an agent got from the call. */
  readonly answer: string;
}

/**
 * Has an agent call a server installed in the folder `root`, and stops it. Resolves once none of the processes in its folder is left, which
 * it starts in.
 */
export async function tryServer({ name, program, args, env, call: callIn }: RealServer, root: string): Promise<Tried> {
  const folder = await temporaryFolder();
  const found: Tried[] = [];
  const { path } = folder;
  const more = {
    args: [join(root, 'node_modules', name, program), ...(args?.(path) ?? [])],
    cwd: path,
    env: env?.(path) ?? {},
    offer: 'always',
  };
  try {
    await folder.write({ [NOTES]: 'low tide at six' });
    await withOneMcpServer(
      'none',
      async ({ servers, server, call }) => {
        const { tools, problems } = await servers.check(await server(), new AbortController().signal);
        const { text } = await call(...callIn(path));
        found.push({ tools: tools.length, problems, answer: text });
        await servers.stop(await server());
        while ((await processesIn(path)).length > 0) await aMoment();
      },
      more,
    );
  } finally {
    await folder.remove();
  }
  const [one] = found;
  if (!one) throw new Error(`${name} was not tried.`);
  return one;
}
