import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a program `usql` to a folder that accepts the arguments of the real one (options, at most one address, nothing else) and
 * passes the SQL to a `sqlite3`, given by its absolute path. It knows one database, by a Postgres address or by the path of its
 * file.
 */
export async function writeUsql(folder: string, sqlite3: string, file: string, address: string): Promise<void> {
  const program = join(folder, 'usql');
  await writeFile(
    program,
    `#!${process.execPath}
const { parseArgs } = require('node:util');
const { execFileSync } = require('node:child_process');
const text = { type: 'string' };
const flag = { type: 'boolean' };
const options = {
  command: { ...text, short: 'c' }, file: { ...text, short: 'f' }, out: { ...text, short: 'o' },
  csv: { ...flag, short: 'C' }, json: { ...flag, short: 'J' }, quiet: { ...flag, short: 'q' },
  'tuples-only': { ...flag, short: 't' }, 'no-password': { ...flag, short: 'W' }, 'no-rc': { ...flag, short: 'X' },
};
const fail = (why) => { console.error('error: ' + why); process.exit(1); };
try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (positionals.length > 1) fail('accepts at most 1 arg');
  const address = positionals[0];
  if (address !== ${JSON.stringify(address)} && address !== ${JSON.stringify(file)}) fail('no such database: ' + address);
  if (values.command === undefined) fail('it would wait for input');
  const form = values.csv ? ['-header', '-csv'] : ['-header', '-column'];
  process.stdout.write(execFileSync(${JSON.stringify(sqlite3)}, [...form, ${JSON.stringify(file)}, values.command]));
} catch (error) {
  fail(error.message);
}
`,
  );
  await chmod(program, 0o755);
}
