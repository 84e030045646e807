import { aptInstall } from './aptInstall';
import { findOnPath } from './findOnPath';

/**
 * Ensures that the program sqlite3, which the database agent's tests use, is available; on Linux, rejects with instructions if it
 * is not.
 */
export async function provisionSqlite(say: (line: string) => void): Promise<void> {
  if (findOnPath('sqlite3') !== undefined) return;
  await aptInstall('sqlite3', say);
  if (process.platform !== 'linux' || findOnPath('sqlite3') !== undefined) return;
  throw new Error(
    'The program sqlite3 was not found, and could not be installed. Install it, and run the tests again.',
  );
}
