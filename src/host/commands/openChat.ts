import type { Host } from '../host';
import type { Command } from './command';

export function openChat({ panels }: Host): Command {
  return { name: 'openChat', run: () => panels.view.focus() };
}
