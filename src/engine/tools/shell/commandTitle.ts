const MAX_TITLE = 100;

/** A command on one line of a card. */
export function commandTitle(command: string): string {
  const [first = '', ...rest] = command.trim().split('\n');
  const cut = first.length > MAX_TITLE || rest.length > 0;
  return `${first.slice(0, MAX_TITLE)}${cut ? ' …' : ''}`;
}
