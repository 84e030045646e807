import type { Host } from '../../host';
import type { Command } from '../command';
import { answerByCommand } from './answerByCommand';

/** Refuses the proposal of the diff it is pressed in, else what waits in the panel. */
export function reject(host: Host): Command {
  return { run: (argument) => answerByCommand(host, argument, 'reject') };
}
