import { t } from '../../src/base/l10n';
/** A code block with its language and action buttons. The transcript handles clicks. */
export interface CodeBlock {
  element: HTMLElement;
  code: HTMLElement;
  language: string;
  /** Appends whole lines or the unfinished last one; existing content is not touched. */
  append(text: string): void;
}

/** Lines per box; boxes let a growing block be laid out in parts. */
export const LINES_PER_BOX = 80;

/** Creates a code block. `info` is the text after the opening fence; its first word is the language, and a path may follow. */
export function createCodeBlock(info: string): CodeBlock {
  const language = /^[\w+#.-]*/.exec(info)?.[0] ?? '';
  const element = document.createElement('div');
  element.className = 'code-block';
  element.dir = 'ltr';
  const code = document.createElement('code');
  const pre = document.createElement('pre');
  pre.className = 'scrolls-aside';
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', language === '' ? t('Code') : t('Code, {0}', language));
  pre.append(code);
  element.append(codeHead(info, language), pre);
  return { element, code, language, append: (text) => appendLines(code, text) };
}

const SHELLS = new Set([
  'sh',
  'bash',
  'zsh',
  'shell',
  'console',
  'shellsession',
  'terminal',
  'fish',
  'powershell',
  'pwsh',
  'ps1',
  'bat',
  'cmd',
]);

/** Returns the file named after the language: "ts src/date.ts", "ts title=src/date.ts", "ts:src/date.ts". */
function pathIn(info: string): string | undefined {
  const behind = info.replace(/^[\w+#.-]*/, '').replace(/^[\s:]+/, '');
  const named = /^(?:(?:title|file|filename|path)=)?["']?([\w@.][\w@./ -]*\.\w+)["']?/.exec(behind)?.[1];
  return named?.includes('..') ? undefined : named;
}

function codeHead(info: string, language: string): HTMLElement {
  const path = pathIn(info);
  const head = document.createElement('div');
  head.className = 'code-head';
  const name = document.createElement('span');
  name.className = 'code-language';
  name.textContent = language;
  head.append(name);
  if (path !== undefined) head.append(pathLabel(path));
  const isShell = SHELLS.has(language.toLowerCase());
  head.append(actionButton('copy', 'copy', t('Copy code')));
  if (isShell) head.append(actionButton('run', 'terminal', t('Insert into terminal')));
  head.append(actionButton('insert', 'insert', t('Insert at cursor')));
  const applyWords = path === undefined ? t('Apply to the active editor') : t('Apply to {0}', path);
  const apply = actionButton('apply', 'git-pull-request-go-to-changes', applyWords);
  if (path !== undefined) apply.dataset['path'] = path;
  if (!isShell) head.append(apply);
  return head;
}

function pathLabel(path: string): HTMLElement {
  const label = document.createElement('span');
  label.className = 'code-path';
  label.textContent = path;
  label.title = path;
  return label;
}

function actionButton(action: string, icon: string, label: string): HTMLElement {
  const button = document.createElement('button');
  button.className = 'icon-button';
  button.type = 'button';
  button.title = label;
  button.setAttribute('aria-label', label);
  button.dataset['code'] = action;
  const image = document.createElement('span');
  image.className = `codicon codicon-${icon}`;
  image.ariaHidden = 'true';
  button.append(image);
  return button;
}

function appendLines(code: HTMLElement, text: string): void {
  let box = code.lastElementChild;
  let room = box instanceof HTMLElement ? LINES_PER_BOX - Number(box.dataset['lines'] ?? 0) : 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (!(box instanceof HTMLElement) || room <= 0) {
      box = document.createElement('span');
      box.className = 'lines';
      code.append(box);
      room = LINES_PER_BOX;
    }
    const last = box.lastChild;
    if (last instanceof Text && !last.data.endsWith('\n')) last.appendData(line);
    else box.append(line);
    if (line.endsWith('\n')) room--;
    if (box instanceof HTMLElement) box.dataset['lines'] = String(LINES_PER_BOX - room);
  }
}
