/** tree-sitter, which is a bundle of its own: `dist/treeSitter.js`, with its grammars beside it. */
export { Language, Parser } from 'web-tree-sitter';
