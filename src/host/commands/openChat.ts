import type { Host } from '../host';
import type { Command } from './command';

export function openChat({ view }: Host): Command {
  return { name: 'openChat', run: () => view.focus() };
}
