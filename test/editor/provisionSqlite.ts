import { aptInstall } from './aptInstall';
import { findOnPath } from './findOnPath';

/** The program sqlite3, which the tests of the agent for databases ask; rejects with what to do when there is none on Linux. */
export async function provisionSqlite(say: (line: string) => void): Promise<void> {
  if (findOnPath('sqlite3') !== undefined) return;
  await aptInstall('sqlite3', say);
  if (process.platform !== 'linux' || findOnPath('sqlite3') !== undefined) return;
  throw new Error(
    'The program sqlite3 was not found, and could not be installed. Install it, and run the tests again.',
  );
}
