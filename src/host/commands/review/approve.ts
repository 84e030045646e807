import type { Host } from '../../host';
import type { Command } from '../command';
import { answerByCommand } from './answerByCommand';

/** Accepts the proposal of the diff it is pressed in, else what waits in the panel. */
export function approve(host: Host): Command {
  return { run: (argument) => answerByCommand(host, argument, 'once') };
}
