import assert from 'node:assert/strict';
import ts from 'typescript';
import { type SourceFile, sourceFiles } from './sourceFiles';

/** What puts text into the page past the components, and the files that may, because what they are given is safe or made so there. */
const INTO_THE_PAGE: Readonly<Record<string, readonly string[]>> = {
  textContent: [
    ...['webview/announcer.ts', 'webview/markdown/codeBlock.ts', 'webview/markdown/highlighter.ts'],
    ...['webview/markdown/renderMarkdown.ts', 'webview/transcript/entryView.tsx'],
  ],
  title: ['webview/markdown/codeBlock.ts', 'webview/shown/makeSafe.ts'],
  ariaLabel: ['webview/transcript/entryArticle.ts'],
  data: ['webview/shown/makeSafe.ts'],
  append: [
    ...['webview/main.tsx', 'webview/markdown/codeBlock.ts', 'webview/markdown/highlighter.ts'],
    ...['webview/markdown/renderMarkdown.ts', 'webview/transcript/entryView.tsx', 'webview/transcript/openFence.ts'],
    ...['webview/transcript/streamPage.ts', 'webview/transcript/streamView.ts', 'webview/transcript/transcriptList.ts'],
  ],
  appendData: ['webview/markdown/codeBlock.ts'],
  prepend: ['webview/components/transcript/Transcript.tsx'],
  Text: ['webview/markdown/highlighter.ts'],
  setAttribute: [
    ...['webview/announcer.ts', 'webview/markdown/codeBlock.ts', 'webview/markdown/renderMarkdown.ts'],
    ...['webview/transcript/askGuard.ts', 'webview/transcript/transcriptList.ts'],
  ],
  ...Object.fromEntries(
    ['innerHTML', 'outerHTML', 'innerText', 'nodeValue', 'alt', 'placeholder', 'insertAdjacentHTML'].map((name) => [
      name,
      [],
    ]),
  ),
  ...Object.fromEntries(
    ['insertAdjacentText', 'createTextNode', 'dangerouslySetInnerHTML', 'srcdoc'].map((name) => [name, []]),
  ),
};

describe('text that is not ours', () => {
  it('reaches the page through components, which mark what is not seen, or through files that do it themselves', () => {
    const found = sourceFiles('webview').flatMap((file) => writes(file).map((name) => ({ name, path: file.path })));
    assert.deepEqual(strangers(found, INTO_THE_PAGE), []);
  });
});

interface Use {
  name: string;
  path: string;
}

/** Uses outside of the files that may, and files named here that have none. */
function strangers(found: readonly Use[], allowed: Readonly<Record<string, readonly string[]>>): string[] {
  const wrong = found.filter(({ name, path }) => Object.hasOwn(allowed, name) && !allowed[name]?.includes(path));
  const idle = Object.entries(allowed).flatMap(([name, paths]) =>
    paths
      .filter((path) => !found.some((one) => one.name === name && one.path === path))
      .map((path) => ({ name, path })),
  );
  return [
    ...new Set(wrong.map(({ name, path }) => `${path} uses ${name}`)),
    ...idle.map(({ name, path }) => `${path} does not use ${name}: take it off the list`),
  ];
}

/** Names of what is assigned to, called and constructed. */
function writes({ tree }: SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node) => {
    const isSet = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    if (isSet && ts.isPropertyAccessExpression(node.left)) names.push(node.left.name.text);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
      names.push(node.expression.name.text);
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) names.push(node.expression.text);
    if (ts.isJsxAttribute(node) && node.name.getText() === 'dangerouslySetInnerHTML') names.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names;
}
