/**
 * Every painted color of every element, including inside the toolkit's components, that contains red or blue and so is not from a
 * theme with only greens, with its location. A string, because it runs in the page.
 */
export const FOREIGN_COLOURS = `(() => {
  const elements = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? elements(one.shadowRoot) : [])]);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const isForeign = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, , blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return alpha > 8 && (red > 24 || blue > 24);
  };
  const painted = (one, pseudo) => {
    const style = getComputedStyle(one, pseudo);
    if (pseudo && style.content === 'none') return [];
    const sides = ['Top', 'Right', 'Bottom', 'Left'].filter((side) => parseFloat(style['border' + side + 'Width']) > 0);
    return [
      ['color', style.color],
      ['background', style.backgroundColor],
      ...sides.map((side) => ['border', style['border' + side + 'Color']]),
      ...(style.outlineStyle !== 'none' ? [['outline', style.outlineColor]] : []),
    ];
  };
  const found = elements(document.body).flatMap((one) =>
    one.checkVisibility()
      ? ['', '::before', '::after'].flatMap((pseudo) =>
          painted(one, pseudo || null)
            .filter(([, colour]) => isForeign(colour))
            .map(([what, colour]) => one.tagName + '.' + one.className + pseudo + ' ' + what + ' ' + colour))
      : []);
  return [...new Set(found)];
})()`;
