import { t } from '../../src/base/l10n';
/** Style properties that determine an element's appearance in the editor's theme. */
const LOOKS = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'opacity',
];
/** Attributes that matter only on the page. */
const ON_THE_PAGE = ['class', 'tabindex', 'role', 'style', 'aria-label', 'aria-hidden', 'aria-current', 'data-box'];
const SVG = 'http://www.w3.org/2000/svg';

/** Larger images cannot be rendered. */
const LONGEST_SIDE = 8000;

interface ExportedSvg {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** Exports a drawing as a standalone file, with the colors it has on the page, in its layout size. */
export function exportSvg(svg: SVGSVGElement): ExportedSvg {
  const copy = svg.cloneNode(true);
  const { width, height } = svg.viewBox.baseVal;
  if (!(copy instanceof SVGSVGElement)) throw new TypeError('A copy of a drawing is none.');
  const originals = [...svg.querySelectorAll('*')];
  for (const [at, element] of [...copy.querySelectorAll('*')].entries()) {
    const original = originals[at];
    if (original) dress(element, getComputedStyle(original));
  }
  for (const name of ON_THE_PAGE) copy.removeAttribute(name);
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const ground = document.createElementNS(SVG, 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return { text: `${new XMLSerializer().serializeToString(copy)}\n`, width, height };
}

function dress(element: Element, looks: CSSStyleDeclaration): void {
  for (const name of ON_THE_PAGE) element.removeAttribute(name);
  for (const name of LOOKS) {
    const value = looks.getPropertyValue(name);
    if (value !== '') element.setAttribute(name, value);
  }
}

/** Exports it as a Base64 PNG, at double resolution unless that is too large. Rejects if it cannot be rendered. */
export async function exportPng({ text, width, height }: ExportedSvg): Promise<string> {
  const image = new Image();
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error(t('The image could not be drawn.')));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
  const scale = Math.min(2, LONGEST_SIDE / Math.max(width, height, 1));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
}
