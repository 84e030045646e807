import { parseArgs } from 'node:util';
import { atEnd } from '../support/atEnd';
import { runTestFiles } from './runTestFiles';

/**
 * `testWorker --timeout MS [--grep TEXT]`: runs test bundles one after the other. Each message from the parent is the path of the
 * next one and is answered with its report; the first answer says that it can start. Ends on `end` or with its parent.
 */
const { values } = parseArgs({ options: { timeout: { type: 'string', default: '10000' }, grep: { type: 'string' } } });
const options = { timeoutMs: Number(values.timeout), grep: values.grep, print: () => undefined };

process.on('message', (bundle) => {
  if (bundle === 'end') return void end();
  if (typeof bundle !== 'string') throw new Error(`Not the path of a test bundle: ${JSON.stringify(bundle)}`);
  void runTestFiles([bundle], options).then((report) => process.send?.(report));
});
process.once('disconnect', () => void end());
process.send?.('ready');

async function end(): Promise<void> {
  await atEnd.run();
  // Tests may leave timers or sockets behind, which are not worth waiting for.
  process.exit(0);
}
