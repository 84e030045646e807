/** A block of code with its language and a copy button. Clicks are handled by the transcript. */
export interface CodeBlock {
  element: HTMLElement;
  code: HTMLElement;
  language: string;
  /** Adds whole lines or the unfinished last one; what stands already is not touched. */
  append(text: string): void;
}

/** Lines that share a box, so that a growing block is laid out in parts. */
export const LINES_PER_BOX = 80;

/** `info` is what stands behind the opening fence; its first word is the language. */
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
  pre.setAttribute('aria-label', language === '' ? 'Code' : `Code, ${language}`);
  pre.append(code);
  element.append(codeHead(language), pre);
  return { element, code, language, append: (text) => appendLines(code, text) };
}

function codeHead(language: string): HTMLElement {
  const head = document.createElement('div');
  head.className = 'code-head';
  const name = document.createElement('span');
  name.className = 'code-language';
  name.textContent = language;
  const copy = document.createElement('button');
  copy.className = 'icon-button';
  copy.type = 'button';
  copy.title = 'Copy code';
  copy.setAttribute('aria-label', 'Copy code');
  copy.dataset['copy'] = '';
  const icon = document.createElement('span');
  icon.className = 'codicon codicon-copy';
  icon.ariaHidden = 'true';
  copy.append(icon);
  head.append(name, copy);
  return head;
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
