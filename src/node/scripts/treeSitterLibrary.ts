/** tree-sitter as a separate bundle: `dist/treeSitter.js`, with its grammars next to it. */
export { Language, Parser } from 'web-tree-sitter';
