import type { ConsoleMessage, Page } from 'playwright-core';

/** Source URLs of lines from a webview's document. The editor's own lines come from its workbench. */
const WEBVIEW = /fake\.html|vscode-resource|vscode-webview/;
/** Printed while rendering hostile Markdown, or by the editor's own frame around a webview. */
const NOISE = /service ?worker|allow-scripts and allow-same-origin|style-src-attr/i;
const PROPOSED = /CANNOT use API proposal|is a proposed |enabledApiProposals/i;
/** The helper extension of the tests, whose name also begins with `cairn`. */
const BRIDGE = /cairn-tests\.bridge/;

/** Collects the console output of a window from its first line. */
export class ConsoleLog {
  private readonly all: string[] = [];
  private readonly ours: string[] = [];

  constructor(private readonly page: Page) {
    page.on('console', this.addMessage);
    page.on('pageerror', this.addError);
  }

  /** Stops listening so that the page can show another window. */
  end(): void {
    this.page.off('console', this.addMessage);
    this.page.off('pageerror', this.addError);
  }

  /** Every line, with its type. */
  get lines(): readonly string[] {
    return this.all;
  }

  /** Errors that name the extension or come from its panel; the editor prints many unrelated ones. */
  get errors(): readonly string[] {
    return this.ours;
  }

  /** Lines that say that the extension uses APIs or menus that a released editor rejects. */
  get proposedApi(): readonly string[] {
    return this.all.filter((line) => PROPOSED.test(line) && /cairn/i.test(line));
  }

  private readonly addMessage = (message: ConsoleMessage): void => {
    this.add(message.type(), message.text(), message.location().url);
  };

  private readonly addError = (error: Error): void => {
    this.add('error', error.stack ?? error.message, error.stack ?? '');
  };

  private add(type: string, text: string, source: string): void {
    const line = `[${type}] ${text}`;
    this.all.push(line);
    const isOurs = WEBVIEW.test(source) || /cairn/i.test(text);
    if (type === 'error' && isOurs && !NOISE.test(text) && !BRIDGE.test(text)) this.ours.push(line);
  }
}
