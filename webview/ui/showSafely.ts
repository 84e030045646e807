import { options } from 'preact';
import { isRecord } from '../../src/base/isRecord';
import { safeText } from '../../src/base/shown/safeText';

/** Properties that users see or hear in addition to an element's text. */
const TOLD = ['title', 'aria-label', 'alt', 'placeholder'];

/**
 * Makes all components mark invisible characters from now on, because models, files and servers contribute to most texts. Values
 * of text boxes are unaffected. Components still choose where text must be more exact or on one line.
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
