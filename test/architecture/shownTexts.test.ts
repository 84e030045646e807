import assert from 'node:assert/strict';
import ts from 'typescript';
import { type SourceFile, sourceFiles } from './sourceFiles';

/**
 * APIs that write text into the page without going through a component, and the files that may use them because their input is
 * safe or made safe there.
 */
const INTO_THE_PAGE: Readonly<Record<string, readonly string[]>> = {
  textContent: [
    ...['webview/transcript/announcer.ts', 'webview/markdown/codeBlock.ts', 'webview/markdown/highlighter.ts'],
    ...['webview/markdown/renderMarkdown.ts', 'webview/transcript/entryView.tsx'],
  ],
  title: ['webview/markdown/codeBlock.ts', 'webview/markdown/renderMarkdown.ts'],
  ariaLabel: ['webview/transcript/entryArticle.ts'],
  data: ['webview/markdown/renderMarkdown.ts'],
  append: [
    ...[
      'webview/main.tsx',
      'webview/pages/main.tsx',
      'webview/markdown/codeBlock.ts',
      'webview/markdown/highlighter.ts',
    ],
    ...['webview/markdown/renderMarkdown.ts', 'webview/transcript/entryView.tsx', 'webview/transcript/streamView.ts'],
    ...['webview/transcript/streamPage.ts', 'webview/transcript/streamView.ts', 'webview/transcript/transcriptList.ts'],
  ],
  appendData: ['webview/markdown/codeBlock.ts'],
  prepend: ['webview/transcript/Transcript.tsx', 'webview/graphs/exportSvg.ts'],
  Text: ['webview/markdown/highlighter.ts'],
  setAttribute: [
    ...['webview/transcript/announcer.ts', 'webview/markdown/codeBlock.ts', 'webview/markdown/renderMarkdown.ts'],
    ...['webview/transcript/ask/askGuard.ts', 'webview/transcript/transcriptList.ts', 'webview/graphs/exportSvg.ts'],
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

const HELPERS = 'src/host/shown';

/**
 * APIs through which the editor displays text, and the files that may use them because they sanitize their input or show only
 * Cairn's own text.
 */
const IN_THE_EDITOR: Readonly<Record<string, readonly string[]>> = {
  showInformationMessage: [`${HELPERS}/notify.ts`],
  showWarningMessage: [`${HELPERS}/notify.ts`],
  showErrorMessage: [`${HELPERS}/notify.ts`],
  showQuickPick: [`${HELPERS}/pickList.ts`],
  createQuickPick: [`${HELPERS}/pickList.ts`],
  showInputBox: [`${HELPERS}/askText.ts`],
  createInputBox: [`${HELPERS}/askText.ts`],
  withProgress: [`${HELPERS}/notify.ts`],
  createStatusBarItem: ['src/host/chatStatus.ts'],
  createOutputChannel: ['src/host/mcp/serverActions.ts', 'src/host/outputLog.ts'],
  createWebviewPanel: ['src/host/chat/chatSurfaces.ts', 'src/host/pages/pagePanel.ts'],
  createSourceControl: ['src/host/review/leftToReview.ts'],
  createResourceGroup: ['src/host/review/leftToReview.ts'],
  createTerminal: ['src/host/editor/code/runInTerminal.ts', 'src/host/showInTerminal.ts'],
  createDiagnosticCollection: [
    'src/host/customize/contentProblems.ts',
    'src/host/mcp/serverProblems.ts',
    'src/host/scripts/toolScripts.ts',
  ],
  TreeItem: ['src/host/customize/customizationTree.ts'],
  Diagnostic: [
    'src/host/customize/contentProblems.ts',
    'src/host/mcp/serverProblems.ts',
    'src/host/scripts/describedDocument.ts',
  ],
  MarkdownString: [
    ...['src/host/customize/contentCompletion.ts', 'src/host/customize/customizationTree.ts'],
    'src/host/editorTools/offerTools.ts',
  ],
  CompletionItem: ['src/host/customize/contentCompletion.ts'],
  Hover: ['src/host/customize/contentCompletion.ts'],
  CodeLens: [
    'src/host/graphs/graphLenses.ts',
    'src/host/editor/hunkLenses.ts',
    'src/host/review/leftToReview.ts',
    'src/host/scripts/describedDocument.ts',
  ],
  CodeAction: ['src/host/customize/contentDocuments.ts', 'src/host/editor/fixActions.ts'],
  FileDecoration: ['src/host/customize/customizations.ts'],
  // Fields of Cairn's own data have these names too.
  title: ['src/host/chat/chatSurfaces.ts', 'src/chat/eventProjector.ts', `${HELPERS}/askText.ts`],
  prompt: [`${HELPERS}/askText.ts`],
  text: ['src/host/editor/diffReview.ts', 'src/host/chatStatus.ts'],
  tooltip: ['src/host/customize/customizationTree.ts', 'src/host/chatStatus.ts'],
  description: ['src/host/customize/customizationTree.ts'],
  detail: ['src/host/customize/contentCompletion.ts'],
  documentation: ['src/host/customize/contentCompletion.ts'],
  badge: ['src/host/chat/chatSurfaces.ts'],
  'vscode.diff': [
    'src/host/editor/code/applyCode.ts',
    'src/host/editor/diffReview.ts',
    'src/host/review/leftToReview.ts',
  ],
  'vscode.changes': ['src/host/review/showReview.ts'],
  ...Object.fromEntries(
    [
      ...['setStatusBarMessage', 'createTreeView', 'createCommentController', 'InlayHint'],
      ...['DocumentLink', 'message', 'label', 'placeholder', 'isTrusted', 'supportThemeIcons'],
    ].map((name) => [name, []]),
  ),
  // For the lists that the helper opens.
  items: [`${HELPERS}/pickList.ts`],
};

describe('Untrusted text', () => {
  it('reaches the editor only through the host helpers that mark invisible characters', () => {
    const found = sourceFiles('src/host', 'src/chat').flatMap((file) =>
      writes(file).map((name) => ({ name, path: file.path })),
    );
    assert.deepEqual(strangers(found, IN_THE_EDITOR), []);
  });

  it('reaches a terminal only through the command-line streams that mark invisible characters', () => {
    const form = /process\.std(?:out|err)\.write|\bwriteSync\((?:[12]\b|STANDARD)|\bconsole\.\w+\(/;
    const found = sourceFiles('src').filter(({ text }) => form.test(text));
    assert.deepEqual(
      found.map(({ path }) => path),
      ['src/cli/standardStreams.ts'],
    );
  });

  it('reaches the page only through components, or files known to mark invisible characters', () => {
    const found = sourceFiles('webview').flatMap((file) => writes(file).map((name) => ({ name, path: file.path })));
    assert.deepEqual(strangers(found, INTO_THE_PAGE), []);
  });
});

interface Use {
  name: string;
  path: string;
}

/** Returns the uses outside the allowed files, and the allowed files that have no such use. */
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

/** Returns the names of the properties assigned to, the methods called, the classes constructed, and the editor commands mentioned. */
function writes({ tree }: SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node) => {
    const isSet = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    if (isSet && ts.isPropertyAccessExpression(node.left)) names.push(node.left.name.text);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
      names.push(node.expression.name.text);
    if (ts.isNewExpression(node)) names.push(lastName(node.expression));
    if (ts.isStringLiteral(node) && node.text.startsWith('vscode.')) names.push(node.text);
    if (ts.isJsxAttribute(node) && node.name.getText() === 'dangerouslySetInnerHTML') names.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names;
}

/** Returns `TreeItem` for `vscode.TreeItem`. */
function lastName(expression: ts.Expression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}
