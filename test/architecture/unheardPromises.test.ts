import assert from 'node:assert/strict';
import ts from 'typescript';
import { sourceFiles, treeOf } from './sourceFiles';

/** Calls whose promise may be ignored anywhere → why. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  notify: 'only shows a notification, and a problem of it could only be told by another one',
  'vscode.commands.executeCommand(setContext)': 'the editor takes every value of a context key',
  'webview.postMessage': 'gives false to a page that is gone',
};

/** Calls whose promise may be ignored in one file only → why. */
const HERE: Readonly<Record<string, string>> = {
  'src/host/chatStatus.ts: this.tell': 'a notification, and then the panel, which shows by itself what it cannot open',
  'src/host/commands/setupCommands.ts: showRole':
    'opens a document of our own, also for a role that is gone; it can reject where no role can be read, and then nothing opens',
  'src/host/container.ts: context.workspaceState.update':
    'which session was shown last: without it another one is shown first',
  'src/host/context/nearbyItem.ts: this.look': 'what it asks the disk is caught, and the rest only makes an item',
  'src/host/editor/inline/proposeEdit.ts: listening.dispose': 'gives no promise',
  'src/host/mcp/askValue.ts: complete.then': 'gives nothing where a server cannot offer anything, and nobody aborts it',
  'src/host/pages/serversPage.ts: mcp.servers.then':
    'can reject when that part of the bundle is gone; the page asks for the same, and tells it',
  'src/host/review/showReview.ts: problems.push': 'gives no promise',
  'src/host/review/showReview.ts: notify.then': 'opens a view of the editor’s own',
  'src/host/settings.ts: this.tell': 'a notification, and then the editor’s own settings',
  'src/host/showInTerminal.ts: running.stop': 'waits for a command whose errors are how it ended',
};

describe('Floating promises of the host', () => {
  it('end in a catch, or are listed as handled elsewhere', () => {
    const found = sourceFiles('src/host').flatMap(({ path, tree }) => unheard(tree).map((call) => ({ path, call })));
    const known = found.filter(({ call }) => !Object.hasOwn(EVERYWHERE, call));
    assert.deepEqual([...new Set(known.map(({ path, call }) => `${path}: ${call}`))], Object.keys(HERE));
    assert.deepEqual(
      Object.keys(EVERYWHERE).filter((name) => !found.some(({ call }) => call === name)),
      [],
    );
  });

  for (const [text, calls] of [
    ['void chats.tell(id, event).catch(failed);', []],
    ['void servers().then(follow).catch(failed).finally(done);', []],
    ['void servers().then(follow, failed);', []],
    ['const later = () => void chats.tell(id, event);', ['chats.tell']],
    ['void this.shown?.webview.postMessage(message);', ['webview.postMessage']],
    ['void servers().catch(failed).then(follow);', ['servers.catch.then']],
    ["void vscode.commands.executeCommand('cairn.openChat');", ['vscode.commands.executeCommand(cairn.openChat)']],
    ['void (async () => { await work(); })();', ['a function of its own']],
    ['void 0; const nothing: void = undefined;', []],
  ] as const) {
    it(`are detected by their form: ${text}`, () => {
      assert.deepEqual(unheard(treeOf('a.ts', text)), calls);
    });
  }
});

/** Returns the names of the calls whose promise is discarded without a final catch. */
function unheard(tree: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isVoidExpression(node) && ts.isCallExpression(node.expression) && !isCaught(node.expression)) {
      found.push(nameOf(node.expression));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Returns true if a rejection of the whole chain is caught. */
function isCaught({ expression, arguments: given }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name, expression: before } = expression;
  if (name.text === 'catch') return true;
  if (name.text === 'then') return given.length === 2;
  return name.text === 'finally' && ts.isCallExpression(before) && isCaught(before);
}

/** Returns `mcp.servers.then` for `mcp.servers().then(…)`, starting at the object or the editor namespace that the call belongs to. */
function nameOf({ expression, arguments: [first] }: ts.CallExpression): string {
  const name = pathOf(expression);
  if (name === undefined) return 'a function of its own';
  if (name === 'vscode.commands.executeCommand' && first && ts.isStringLiteral(first)) return `${name}(${first.text})`;
  return name.endsWith('webview.postMessage') ? 'webview.postMessage' : name;
}

function pathOf(node: ts.Expression): string | undefined {
  if (ts.isCallExpression(node)) return pathOf(node.expression);
  if (ts.isIdentifier(node)) return node.text;
  if (node.kind === ts.SyntaxKind.ThisKeyword) return 'this';
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const before = pathOf(node.expression);
  return before === undefined ? undefined : `${before}.${node.name.text}`;
}
