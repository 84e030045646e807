import { askText } from '../../shown/askText';

/** Undefined when the person thought better of it. */
export function askSessionTitle(title: string): Thenable<string | undefined> {
  return askText({
    title: 'Rename session',
    value: title,
    validateInput: (text) => (text.trim() === '' ? 'A session needs a name.' : undefined),
  });
}
