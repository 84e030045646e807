import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { CONTENT_KINDS, type Engine } from '../../engine';
import type { Host } from '../host';
import { CONTENT_SCHEME, VIEW_CUSTOMIZATIONS } from '../contributionPoints';
import type { CustomizationNode } from './customizationNode';
import type { ContentProblems } from './contentProblems';

/** Long enough for the window to appear. Checking files can wait until then. */
const AFTER_START_MS = 1500;

/** Matched by path only, because the editor assigns its own languages to some of these files. */
const FILES: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/{agent,agents,skills,roles}/**/*.md' },
  { scheme: 'file', pattern: '**/{agent,agents}/**/{config,graph}.yaml' },
];
/** In Markdown the editor does not suggest while a word is typed. */
const TRIGGERS = ['\n', ' ', ',', '[', '{'];

/** Registers the Customizations view and the editing help for agents, skills, and roles. Their implementation is loaded on demand. */
export function customizations(host: Host, workspaceFolder: () => string): Disposable {
  const { engine } = host;
  const store = new DisposableStore();
  store.add(readOnlyDocuments(engine, workspaceFolder));
  store.add(vscode.window.registerFileDecorationProvider({ provideFileDecoration: dimmed }));
  store.add(followPlaces(engine));
  store.add(treeView(engine));
  const problems = checking(host);
  store.add(problems);
  store.add(
    vscode.languages.registerCompletionItemProvider(
      FILES,
      {
        async provideCompletionItems(document, position) {
          if (!engine.content.placeOf(document.uri.fsPath)) return [];
          return (await parts()).contentCompletion(engine, document, position);
        },
      },
      ...TRIGGERS,
    ),
  );
  store.add(
    vscode.languages.registerHoverProvider(FILES, {
      async provideHover(document, position) {
        if (!engine.content.placeOf(document.uri.fsPath)) return undefined;
        return (await parts()).contentHover(engine, document, position);
      },
    }),
  );
  const fixes = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  const provideCodeActions = async (document: vscode.TextDocument, range: vscode.Range) =>
    problems.current && (await parts()).contentFixes(engine, problems.current, document, range);
  store.add(vscode.languages.registerCodeActionsProvider(FILES, { provideCodeActions }, fixes));
  return store;
}

const parts = () => import('./customizeParts');

function dimmed({ scheme, authority }: vscode.Uri): vscode.FileDecoration | undefined {
  if (scheme !== CONTENT_SCHEME || authority !== 'dimmed') return undefined;
  return new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor('disabledForeground'));
}

/** Reloads everything when a folder is trusted, opened, or closed. */
function followPlaces(engine: Engine): Disposable {
  const store = new DisposableStore();
  const reload = () => CONTENT_KINDS.forEach((kind) => engine[kind].reload());
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(reload));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(reload));
  return store;
}

function treeView(engine: Engine): Disposable {
  const store = new DisposableStore();
  const changes = store.add(new vscode.EventEmitter<undefined>());
  for (const kind of CONTENT_KINDS) store.add(engine[kind].onChanged(() => changes.fire(undefined)));
  const provider: vscode.TreeDataProvider<CustomizationNode> = {
    onDidChangeTreeData: changes.event,
    getChildren: async (node) => (await parts()).customizationChildren(engine, node),
    getTreeItem: async (node) => (await parts()).customizationItem(node),
  };
  store.add(vscode.window.registerTreeDataProvider(VIEW_CUSTOMIZATIONS, provider));
  return store;
}

/** Serves built-in content and effective prompts, which update with every change of a file. */
function readOnlyDocuments(engine: Engine, workspaceFolder: () => string): Disposable {
  const store = new DisposableStore();
  const changes = store.add(new vscode.EventEmitter<vscode.Uri>());
  const promptsChanged = () => {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === CONTENT_SCHEME && uri.authority === 'prompt') changes.fire(uri);
    }
  };
  for (const kind of CONTENT_KINDS) store.add(engine[kind].onChanged(promptsChanged));
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changes.event,
    provideTextDocumentContent: async (uri) => (await parts()).contentDocument(engine, uri, workspaceFolder()),
  };
  store.add(vscode.workspace.registerTextDocumentContentProvider(CONTENT_SCHEME, provider));
  return store;
}

/** Starts checking files some time after startup. */
function checking(host: Host): Disposable & { readonly current: ContentProblems | undefined } {
  const store = new DisposableStore();
  let current: ContentProblems | undefined;
  const start = async () => {
    const { ContentProblems: Problems, graphLenses, graphNames, serverProblems } = await parts();
    const { engine, log } = host;
    store.add(graphNames(engine));
    store.add(graphLenses(engine));
    store.add(serverProblems(host));
    current = store.add(new Problems(engine, log));
  };
  const timer = setTimeout(() => {
    start().catch((error: unknown) => host.log.error('Agents, skills and roles are not checked', error));
  }, AFTER_START_MS);
  store.add({ dispose: () => clearTimeout(timer) });
  return {
    get current() {
      return current;
    },
    dispose: () => store.dispose(),
  };
}
