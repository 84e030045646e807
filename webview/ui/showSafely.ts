import { options } from 'preact';
import { isRecord } from '../../src/base/isRecord';
import { safeText } from '../../src/base/shown/safeText';

/** What a person reads or hears of an element beside its text. */
const TOLD = ['title', 'aria-label', 'alt', 'placeholder'];

/**
 * From now on no component shows a text as it is: models, files and servers have a part in most of them, so what a person
 * would not see is marked in all. What is typed in boxes is their value and stays. Components still say what must be
 * closer to the letter or in one line.
 */
export function showSafely(): void {
  options.vnode = (node: { type: unknown; props: unknown }) => {
    const { type, props } = node;
    if (typeof props === 'string') node.props = safeText(props);
    else if (typeof type === 'string' && isRecord(props)) node.props = withSafeWords(props);
  };
}

function withSafeWords(props: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let safe = props;
  for (const name of TOLD) {
    const words = props[name];
    if (typeof words !== 'string') continue;
    const shown = safeText(words);
    if (shown !== words) safe = { ...safe, [name]: shown };
  }
  return safe;
}
