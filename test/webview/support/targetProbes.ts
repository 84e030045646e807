import { TWO_FRAMES } from './frames';

/**
 * All click targets smaller than WCAG 2.2 (2.5.8) requires, as "name: width × height". A link within a sentence may be as high as
 * its line, a box with a label can be clicked on the label, and what appears only while its row is hovered has no size before.
 * Waits two frames first: the toolkit's controls get the tokens that set their height with the frame after they appear.
 */
export const SMALL_TARGETS = `(async () => {
  await ${TWO_FRAMES};
  const pressed =
    'button, a[href], summary, input:not([type=hidden]), textarea, select, vscode-button, vscode-text-field, ' +
    '[role=button], [role=option], [role=menuitem], [role=checkbox], [role=tab], [role=link]';
  const box = (one) => (one.closest('label') ?? one.shadowRoot?.querySelector('[part=control], [part=root]') ?? one).getBoundingClientRect();
  const isInSentence = (one) => one.matches('a') && one.closest('.markdown, .notice-text') !== null;
  return [...document.querySelectorAll(pressed)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !isInSentence(one))
    .map((one) => ({ one, ...{ width: box(one).width, height: box(one).height } }))
    .filter(({ width, height }) => width > 0 && height > 0 && (width < 23.9 || height < 23.9))
    .map(({ one, width, height }) => (one.ariaLabel || one.textContent.trim() || one.className) + ': ' + width.toFixed(1) + ' × ' + height.toFixed(1));
})()`;
