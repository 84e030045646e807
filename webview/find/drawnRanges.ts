/** Parts of an entry that are not its text: what only a screen reader is told, heads of code, buttons. */
const ASIDE = '.visually-hidden, .code-head, vscode-button, .row-actions, .approval-bar, textarea';
const BLOCKS = 'p, li, td, th, h2, h3, h4, h5, h6, pre, blockquote, div, button';

/** Where a pattern stands in what is drawn of an entry, also across coloured words. */
export function drawnRanges(article: Element, pattern: RegExp): Range[] {
  const { text, nodes } = readText(article);
  const ranges: Range[] = [];
  pattern.lastIndex = 0;
  for (const match of text.matchAll(pattern)) {
    const start = place(nodes, match.index, false);
    const end = place(nodes, match.index + match[0].length, true);
    if (!start || !end) continue;
    const range = document.createRange();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset);
    ranges.push(range);
  }
  return ranges;
}

interface TextPiece {
  node: Text;
  /** Where it begins in the text of the whole entry. */
  from: number;
}

function readText(article: Element): { text: string; nodes: TextPiece[] } {
  const nodes: TextPiece[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Element) return node.matches(ASIDE) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    return NodeFilter.FILTER_ACCEPT;
  });
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Text)) continue;
    const own = node.parentElement?.closest(BLOCKS) ?? null;
    if (own !== block && text !== '') text += '\n';
    block = own;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  return { text, nodes };
}

function place(nodes: readonly TextPiece[], at: number, isEnd: boolean): { node: Text; offset: number } | undefined {
  const piece = nodes.findLast(({ from }) => (isEnd ? from < at : from <= at));
  return piece && { node: piece.node, offset: Math.min(at - piece.from, piece.node.data.length) };
}
