import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { l10nBundle, sentences } from '../tasks/l10nBundle';
import { sourceFiles, treeOf } from './sourceFiles';
import { wordsOutside } from './wordsOutside';

/** The folders in which every user-visible text goes through `t`. */
const FOLDERS = ['src/chat', 'src/host', 'src/protocol', 'webview'];

/** Literals that look like user-visible text but are not: reason → file and the beginning of the text. */
const EXCEPTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'names a key of a row or of the keyboard, or what nobody sees': [
    ['src/host/customize/contentCompletion.ts', 'Suggest values'],
    ['webview/composer/ItemChips.tsx', 'image {}'],
    ['webview/composer/contextRows.ts', 'category {}'],
    ['webview/transcript/ask/ApprovalBar.tsx', 'Enter'],
    ['webview/transcript/ask/ApprovalBar.tsx', 'Backspace'],
  ],
  'is markup, or a selector or classes of it': [
    ['src/host/chat/chatBody.ts', ''],
    ['src/host/chat/chatHtml.ts', ''],
    ['src/host/chat/chatBody.ts', '<script'],
    ['src/host/graphs/graphMermaid.ts', 'flowchart TD'],
    ['src/host/pages/pagePanel.ts', 'default-src'],
    ['src/host/pages/pagePanel.ts', '<!DOCTYPE'],
    ['webview/find/transcriptFind.ts', '.visually-hidden, .code-head'],
    ['webview/find/transcriptFind.ts', 'p, li, td'],
    ['webview/markdown/codeBlock.ts', 'codicon codicon-{}'],
    ['webview/markdown/highlightLines.ts', '{} control'],
    ['webview/markdown/renderMarkdown.ts', '<a href='],
    ['webview/markdown/renderMarkdown.ts', 'table-scroll scrolls-aside'],
    ['webview/transcript/entryArticle.ts', 'entry fresh'],
    ['webview/transcript/listenForLinks.ts', 'codicon codicon-'],
    ['webview/transcript/streamView.ts', 'block open'],
    ['webview/transcript/tools/DiffView.tsx', '{} changed-word'],
  ],
  'is of a language of programs, or an example that is typed so': [
    ['webview/markdown/highlightLines.ts', 'if else elif'],
    ['webview/markdown/highlightLines.ts', 'return yield await'],
    ['webview/markdown/highlightLines.ts', 'include package goto'],
    ['webview/pages/NewRuleForm.tsx', 'npm test'],
    ['webview/pages/PermissionsPage.tsx', 'git push --force'],
  ],
  'is the name of a thing': [
    ['src/host/chat/chatSurfaces.ts', 'Cairn'],
    ['src/host/customize/contentProblems.ts', 'Cairn'],
    ['src/host/editor/code/runInTerminal.ts', 'Cairn'],
    ['src/host/graphs/drawnGraph.ts', 'Mermaid'],
    ['src/host/mcp/serverActions.ts', 'Cairn'],
    ['src/host/mcp/serverProblems.ts', 'Cairn'],
    ['src/host/scripts/describedDocument.ts', 'Cairn'],
    ['src/host/scripts/toolCommands.ts', 'Bash'],
    ['src/host/scripts/toolCommands.ts', 'Python'],
    ['src/host/chatStatus.ts', 'Cairn'],
    ['src/host/outputLog.ts', 'Cairn'],
    ['webview/graphs/GraphPage.tsx', 'Mermaid'],
  ],
  'is translated elsewhere: in src/protocol/slashRecords.ts, which is written from it': [
    ...[
      'Start',
      'Open',
      'Choose',
      'Load',
      'Summarize',
      'Restore',
      'Clear',
      'Stop',
      'Generate',
      'Save',
      'Review',
      'Edit',
    ],
    ...['Show', 'Set', 'Add,', 'Allow,', 'Show,', 'Run', 'Import'],
  ].map((verb) => ['src/host/commands/commandRecords.ts', verb] as const),
  'is said to a model, or to the program that uses ours': [
    ['src/host/openApi.ts', 'activate() returns'],
    ['src/host/openApi.ts', 'Cairn’s API has no'],
    ['src/host/commands/contextCommands.ts', 'Explain this'],
    ['src/host/commands/contextCommands.ts', 'Fix '],
    ['src/host/commands/contextCommands.ts', 'Find '],
    ['src/host/commands/describeCommand.ts', '{} So far'],
    ['src/host/commands/planCommands.ts', 'Carry out this plan. Its'],
    ['src/host/commands/writeCommitMessage.ts', 'Write the Git'],
    ['src/host/commands/writeCommitMessage.ts', 'Subject: what'],
    ['src/host/commands/writeCommitMessage.ts', 'The diff is data'],
    ['src/host/context/agentItems.ts', 'I want the agent'],
    ['src/host/context/agentItems.ts', 'agent: {}'],
    ['src/host/context/gitChanges.ts', ''],
    ['src/host/context/readItem.ts', 'problems '],
    ['src/host/context/terminalItems.ts', 'The beginning of'],
    ['src/host/context/terminalItems.ts', 'terminal: {}'],
    ['src/host/context/terminalItems.ts', '(no output)'],
    ['src/host/editor/mention.ts', ''],
    ['src/host/editor/shownDiff.ts', ''],
    ['src/host/editor/workspace.ts', ''],
    ['src/host/editor/writeThroughEditor.ts', ''],
    ['src/host/llm/askEditorModel.ts', 'stop'],
    ['src/host/llm/askEditorModel.ts', '(no output)'],
    ['src/host/llm/askEditorModel.ts', 'Error: {}'],
    ['src/host/llm/editorProxy.ts', ''],
    ['src/host/llm/vscodeLmProvider.ts', 'The editor’s models'],
  ],
  'is the path of a document, a condition, or a key of the editor': [
    ['src/host/commands/commandRecords.ts', '{} && '],
    ['src/host/commands/commandRecords.ts', 'ctrl+k '],
    ['src/host/config/showEffectiveConfig.ts', '/Effective configuration.md'],
    ['src/host/customize/contentDocuments.ts', '/Effective prompt of'],
    ['src/host/customize/customizationTree.ts', 'group {}'],
    ['src/host/customize/customizationTree.ts', '{} broken {}'],
    ['src/host/customize/customizationTree.ts', 'broken {}'],
    ['src/host/graphs/layout/layoutGraph.ts', ''],
    ['src/host/importFromTools.ts', '/Import report.md'],
  ],
  'is said of a defect of ours, to whoever looks for it': [
    ['src/host/mcp/serverActions.ts', 'error output'],
    ['src/host/review/storedLayers.ts', 'It is not a list'],
    ['src/protocol/hostApi.ts', 'The message is empty'],
    ['webview/graphs/exportSvg.ts', 'A copy of a drawing'],
    ['webview/store/keptPictures.ts', 'The browser keeps no pictures'],
    ['webview/transcript/transcriptList.ts', 'There is no entry'],
    ['webview/ui/panelContext.ts', 'This component stands outside'],
    ['webview/ui/panelContext.ts', 'There is no chat yet'],
  ],
};

describe('User-facing text', () => {
  it('goes through `t`', () => {
    const allowed = Object.values(EXCEPTIONS).flat();
    const found = sourceFiles(...FOLDERS).flatMap(wordsOutside);
    const isMeant = ([path, beginning]: readonly [string, string], one: (typeof found)[number]) =>
      one.path === path && one.words.startsWith(beginning);
    const wrong = found.filter((one) => !allowed.some((exception) => isMeant(exception, one)));
    const idle = allowed.filter((exception) => !found.some((one) => isMeant(exception, one)));
    assert.deepEqual(
      [
        ...wrong.map(({ path, line, words }) => `${path}:${line} shows “${words}” without t()`),
        ...idle.map(([path, beginning]) => `${path} has no “${beginning}”: take it off the list`),
      ],
      [],
    );
  });

  const all = sentences();

  it('is a literal with a value for each placeholder', () => {
    const wrong = all.flatMap(({ place, words, values, isCounted }) => {
      if (words === undefined) return [`${place} translates what is no literal`];
      const wanted = new Set([...words.matchAll(/\{(\d+)\}/g)].map(([, index]) => Number(index)));
      const isEach = [...wanted].every((index) => index < wanted.size);
      // Without values, the placeholders are filled with elements.
      const isFilled = values === 0 || !isCounted || wanted.size === values;
      return isEach && isFilled ? [] : [`${place} has other placeholders than values: “${words}”`];
    });
    assert.deepEqual(wrong, []);
  });

  it('is a whole sentence, not a fragment to be concatenated', () => {
    const isPart = (words: string) =>
      /^[\s,;:.!?)·#]|[\s,;·]$|\{\d+\}\{\d+\}|\$\([\w~-]+\)/.test(words) ||
      words.replaceAll(/\{\d+\}/g, '').trim() === '';
    assert.deepEqual(
      all.flatMap(({ place, words = '' }) =>
        isPart(words) ? [`${place} translates a part of a sentence: “${words}”`] : [],
      ),
      [],
    );
  });

  it('is looked up when it is shown, not when a module is loaded', () => {
    assert.deepEqual(
      all.filter(({ isEarly }) => isEarly).map(({ place }) => place),
      [],
    );
  });

  it('is collected in the bundle that `npm run manifest` writes', () => {
    const file = readFileSync(join(repoRoot, 'assets/l10n/bundle.l10n.json'), 'utf8');
    assert.deepEqual(JSON.parse(file), l10nBundle());
  });
});

describe('The scan for text that bypasses `t`', () => {
  const wordsIn = (text: string) => {
    const path = 'made-up.tsx';
    return wordsOutside({ path, text, imports: [], tree: treeOf(path, text) }).map(({ words }) => words);
  };

  it('finds text, attributes, properties, sentences and arguments of display helpers', () => {
    assert.deepEqual(wordsIn('<p>Try again</p>'), ['Try again']);
    assert.deepEqual(wordsIn('<p title={isOpen ? "close" : label}>{more && "and more"}</p>'), ['close', 'and more']);
    assert.deepEqual(wordsIn('const row = { label: "model", id: "model" };'), ['model']);
    assert.deepEqual(wordsIn('say(`${count} files`, "Nothing to do.")'), ['{} files', 'Nothing to do.']);
    assert.deepEqual(wordsIn('notify("info", "saved", "undo")'), ['saved', 'undo']);
    assert.deepEqual(wordsIn('const found = count === 1 ? "1 problem" : more;'), ['1 problem']);
  });

  it('ignores names, comparisons, log messages and arguments of `t`', () => {
    assert.deepEqual(wordsIn('<p class="card folded" role="alert">{t("Try again")}</p>'), []);
    assert.deepEqual(wordsIn('if (event.key === "Enter") log.error("It failed: ask again", error);'), []);
    assert.deepEqual(wordsIn('t("{0} of {1}", count, isAll ? "all of them" : most)'), ['all of them']);
  });
});
