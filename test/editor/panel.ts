import type { Frame, Locator } from 'playwright-core';
import { clickReaches } from './clickReaches';
import type { EditorWindow } from './editorWindow';
import { pressChord } from './pressChord';
import { pressToAllow } from './pressToAllow';
import { type Entry, readEntries } from './readEntries';
import { repeatUntil } from './repeatUntil';
import { TextBox } from './textBox';
import { until } from './until';

export type ToolStatus = 'preparing' | 'waiting' | 'running' | 'ok' | 'error' | 'rejected' | 'cancelled';

/**
 * Cairn's panel from the user's point of view. The webview's document may be replaced at any time, so each step looks it up again
 * and nothing of it is cached.
 */
export class Panel {
  constructor(readonly window: EditorWindow) {}

  /** Opens the panel and waits until the user could type a message. */
  async open(): Promise<void> {
    // The first time the view opens, the command finishes late and moves the focus until then.
    await Promise.all([
      this.window.command('cairn.openChat'),
      until('the panel to be drawn', async () => (await this.composer()).isVisible(), 60_000),
    ]);
    // The message box is focused last, after the command has finished. It may have been focused before, so blur it first to make
    // the check meaningful.
    await until('the focus to be elsewhere', async () => {
      const frames = await this.findFrames();
      for (const frame of frames) await frame.evaluate('document.activeElement?.blur()');
      return frames.length > 0;
    });
    await this.window.command('cairn.openChat');
    await until('the message box to have the focus', () => this.hasFocus());
  }

  /** Returns the current document of the panel. */
  frame(timeoutMs = 60_000): Promise<Frame> {
    return until("the panel's document", () => this.findFrame(), timeoutMs);
  }

  async locate(selector: string): Promise<Locator> {
    return (await this.frame()).locator(selector);
  }

  /** The real message box of the panel, not the placeholder shown until the panel has loaded. */
  async composer(): Promise<Locator> {
    const frame = await this.frame();
    return frame.getByRole('textbox', { name: 'Message', exact: true }).and(frame.locator('[data-role=message]'));
  }

  /** Finds a button by its exact name. */
  async button(name: string): Promise<Locator> {
    return (await this.frame()).getByRole('button', { name, exact: true });
  }

  /** Presses the first button with this name, retrying until a click reaches it. */
  async press(name: string, within?: string): Promise<void> {
    await this.pressOne(name, async () => {
      const scope = (await this.frame()).locator(within ?? 'body').first();
      return scope.getByRole('button', { name, exact: true }).first();
    });
  }

  /** Presses the element that `find` returns, retrying until a click reaches it. */
  async pressOne(what: string, find: () => Promise<Locator>): Promise<void> {
    await until(`“${what}” to be pressed`, async () => {
      await this.window.hideToasts();
      return clickReaches(await find());
    });
  }

  /** Types a message and sends it. */
  async send(text: string): Promise<void> {
    await until('the message to be typed', async () => {
      const composer = await this.composer();
      await composer.fill(text, { timeout: 5000 });
      return (await composer.inputValue({ timeout: 5000 })) === text;
    });
    let isPressed = false;
    await until('the message to be sent', async () => {
      // On a slow machine Playwright may give up on a click that did arrive.
      if (isPressed && (await (await this.composer()).inputValue({ timeout: 5000 })) !== text) return true;
      isPressed = true;
      await this.window.hideToasts();
      return clickReaches((await this.button('Send')).first());
    });
  }

  /** Takes a row of the list above the message. */
  async takeOption(row: string | RegExp): Promise<void> {
    const option = async (): Promise<Locator> => (await this.frame()).getByRole('option', { name: row }).first();
    await this.pressOne(String(row), option);
    await until(`the row ${String(row)} to be taken`, async () => (await option()).isHidden());
  }

  /** Waits until the turn has ended, after which nothing is rendered by itself anymore. */
  async untilIdle(): Promise<void> {
    await until('the end of the turn', async () => (await this.button('Send')).isVisible());
  }

  async stop(): Promise<void> {
    await this.press('Stop');
  }

  /** The transcript as currently rendered. A long one is only rendered in part. */
  async entries(): Promise<Entry[]> {
    return readEntries(await this.frame());
  }

  /** Waits until an entry of the kind (or any kind if omitted) contains the text, and returns it. */
  waitForText(text: string | RegExp, kind?: string, timeoutMs = 60_000): Promise<Entry> {
    const holds = (entry: Entry): boolean =>
      (kind === undefined || entry.kind === kind) &&
      (typeof text === 'string' ? entry.text.includes(text) : text.test(entry.text));
    return this.waitForEntry(`an entry with ${String(text)}`, holds, timeoutMs);
  }

  /** Waits until a tool card is in one of these states. */
  waitForTool(tool: string, status: ToolStatus | readonly ToolStatus[], timeoutMs = 60_000): Promise<Entry> {
    const wanted: readonly string[] = typeof status === 'string' ? [status] : status;
    const holds = (entry: Entry): boolean => entry.tool === tool && wanted.includes(entry.status ?? '');
    return this.waitForEntry(`the tool ${tool} to be ${wanted.join(' or ')}`, holds, timeoutMs);
  }

  /** Waits for an approval and returns the text that explains it. */
  async waitForApproval(timeoutMs = 60_000): Promise<string> {
    return this.textOf('[data-approval-id]', timeoutMs);
  }

  /** Approves the first open approval, whether its button says Allow or Accept, and waits until it is closed. */
  async approve(): Promise<void> {
    await this.waitForApproval();
    await this.closing('data-approval-id', async (block) => {
      const allow = (await this.locate(block)).getByRole('button', { name: /^(Allow|Accept|Accept \d+ of \d+)$/ });
      const isClosed = async (): Promise<boolean> => (await (await this.locate(`${block} button`)).count()) === 0;
      await repeatUntil('the button that allows it', () => this.allowBy(allow.first()), isClosed);
    });
  }

  /**
   * Answers the first open approval with a key chord. The chord is repeated only while that approval is open: afterward it would
   * answer the next one.
   */
  async answerByKeys(...keys: readonly string[]): Promise<void> {
    await this.waitForApproval();
    await this.closing('data-approval-id', async (block) => {
      const count = async (selector: string): Promise<number> => (await this.locate(selector)).count();
      // Keys answer only what has been in view without moving.
      await until('it to take an answer', async () => (await count(`${block}[aria-disabled]`)) === 0);
      await pressChord(this.window, keys, async () => (await count(`${block} button`)) === 0);
    });
  }

  /** Presses the button that accepts edits: the first presses scroll to the end of each edit in turn. */
  async accept(name: string): Promise<void> {
    const isGone = async (): Promise<boolean> => (await (await this.button(name)).count()) === 0;
    const press = async (): Promise<void> => this.allowBy((await this.button(name)).first());
    await repeatUntil(`“${name}” to be taken`, press, isGone);
  }

  /** Rejects the first open approval, optionally with a reason. */
  async reject(reason?: string): Promise<void> {
    await this.waitForApproval();
    await this.closing('data-approval-id', async () => {
      if (reason === undefined) return this.press('Reject', '[data-approval-id]');
      await this.press('Reject with reason…', '[data-approval-id]');
      await this.giveReason(reason);
    });
  }

  /** Types the requested reason and sends it. */
  async giveReason(reason: string): Promise<void> {
    await until('the reason to be typed', async () => {
      const box = (await this.frame()).getByRole('textbox', { name: 'Reason', exact: true });
      await box.fill(reason, { timeout: 5000 });
      return (await box.inputValue({ timeout: 5000 })) === reason;
    });
    await this.press('Send reason');
  }

  /** Answers the first open question: chooses the option with that name if there is one, otherwise types the text. */
  async answer(text: string): Promise<void> {
    await this.waitForQuestion();
    const question = (await this.locate('[data-question-id]')).first();
    await this.closing('data-question-id', async () => {
      if ((await question.getByRole('button', { name: text, exact: true }).count()) > 0) {
        return this.press(text, '[data-question-id]');
      }
      await until('the answer to be typed', async () => {
        const box = question.getByRole('textbox', { name: 'Answer', exact: true });
        await box.fill(text, { timeout: 5000 });
        return (await box.inputValue({ timeout: 5000 })) === text;
      });
      await this.press('Answer', '[data-question-id]');
    });
  }

  /** Waits for a question and returns its text and options. */
  async waitForQuestion(timeoutMs = 60_000): Promise<string> {
    return this.textOf('[data-question-id]', timeoutMs);
  }

  /** Returns the names of the first open question's options. */
  async questionOptions(): Promise<string[]> {
    const names = await (await this.locate('[data-question-id]')).first().getByRole('button').allInnerTexts();
    return names.map((name) => name.trim()).filter((name) => name !== 'Answer' && name !== '');
  }

  /** Presses a button in the title bar of the view. */
  async pressInTitle(name: string): Promise<void> {
    const title = this.window.sideBar().locator('.title');
    await this.pressOne(name, async () => title.getByRole('button', { name, exact: true }));
  }

  /** Opens the session history from the title bar of the view. */
  async openHistory(): Promise<void> {
    await this.pressInTitle('Session History');
    await (await this.locate('.sessions-search')).first().waitFor();
  }

  /** Starts a new session from the title bar of the view. */
  async newSession(): Promise<void> {
    await this.pressInTitle('New Session');
    await until('an empty session', async () => (await this.entries()).length === 0);
  }

  /** Opens the session with this title from the panel's own list. */
  async openSession(title: string): Promise<void> {
    await this.openHistory();
    await this.takeSession(title);
  }

  /** Chooses a session from the panel's list, which must be open. */
  async takeSession(title: string | RegExp): Promise<void> {
    const row = async (): Promise<Locator> => (await this.locate('.session-row')).filter({ hasText: title }).first();
    await this.pressOne(String(title), row);
    await until(`the session “${String(title)}” to be taken`, async () => (await row()).isHidden());
  }

  /** Expands the first or the last collapsed agent card and waits until it shows the text. */
  async unfold(which: 'first' | 'last', text: string): Promise<void> {
    const folds = '[data-kind=agent] button.fold';
    await this.pressOne(`the ${which} agent's card`, async () => (await this.locate(folds))[which]());
    await this.waitForText(text, 'agent');
  }

  async runState(): Promise<string> {
    return (await (await this.locate('[data-role=run-state]')).first().innerText()).trim();
  }

  async sessionTitle(): Promise<string> {
    return (await (await this.locate('[data-role=session-title]')).first().innerText()).trim();
  }

  /** Presses the model button and chooses the row of the editor's list that contains the text. */
  async chooseModel(text: string): Promise<void> {
    await this.pressOne('the model', async () => (await this.locate('[data-role=model]')).first());
    await this.pick(text);
  }

  /** Chooses a row of the editor's open list. */
  async pick(text: string): Promise<void> {
    const list = this.window.page.locator('.quick-input-widget:visible');
    // A long list is only rendered in part, so filter it first.
    await list.locator('input.input').fill(text);
    const row = list.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
    await row.waitFor();
    // Another list or a text box may appear next in the same widget.
    await repeatUntil(
      `the row “${text}” to be taken`,
      () => row.click({ timeout: 5000 }),
      () => row.isHidden(),
      'redrawn',
    );
  }

  /** Types into the editor's text box once it is open. */
  typeInput(text: string): Promise<void> {
    return new TextBox(this.window).type(text);
  }

  /** Types into the editor's text box and confirms it with Enter. */
  giveInput(text: string): Promise<void> {
    return new TextBox(this.window).give(text);
  }

  private async allowBy(button: Locator): Promise<void> {
    await this.window.hideToasts();
    await pressToAllow(button);
  }

  private waitForEntry(what: string, holds: (entry: Entry) => boolean, timeoutMs: number): Promise<Entry> {
    let seen: Entry[] = [];
    const look = async (): Promise<Entry | undefined> => {
      seen = await this.entries();
      return seen.find(holds);
    };
    return until(what, look, timeoutMs).catch((error: unknown) => {
      const list = seen.map(
        (entry) => `  ${entry.kind} ${entry.tool ?? ''} ${entry.status ?? ''}: ${entry.text.slice(0, 160)}`,
      );
      throw new Error(
        `${error instanceof Error ? error.message : String(error)}\nThe panel showed:\n${list.join('\n') || '  nothing'}`,
      );
    });
  }

  /** Returns the text of the first match once there is one; retries while the document is being replaced. */
  private textOf(selector: string, timeoutMs: number): Promise<string> {
    return until(
      `${selector} in the panel`,
      async () => (await this.locate(selector)).first().innerText({ timeout: 3000 }),
      timeoutMs,
    );
  }

  /** Acts on the first block with that attribute, passing its selector, and waits until that same block is closed. */
  private async closing(attribute: string, act: (selector: string) => Promise<void>): Promise<void> {
    const id = await until(`the ${attribute} of a block`, async () =>
      (await this.locate(`[${attribute}]`)).first().getAttribute(attribute, { timeout: 3000 }),
    );
    const selector = `[${attribute}="${id}"]`;
    await act(selector);
    const gone = async (): Promise<boolean> => (await (await this.locate(`${selector} button`)).count()) === 0;
    await until(`the block ${id} to be closed`, gone);
  }

  /** With several panels, the requested one may not come first. */
  private async hasFocus(): Promise<boolean> {
    const inBox = "document.hasFocus() && document.activeElement?.dataset.role === 'message'";
    for (const frame of await this.findFrames()) if (await frame.evaluate<boolean>(inBox)) return true;
    return false;
  }

  private async findFrame(): Promise<Frame | undefined> {
    return (await this.findFrames())[0];
  }

  private async findFrames(): Promise<Frame[]> {
    const found: Frame[] = [];
    for (const frame of this.window.page.frames()) {
      if (!frame.url().includes('fake.html') || (await frame.title()) !== 'Cairn') continue;
      // A document that is loading next to the visible one has the same title.
      const element = await frame.frameElement();
      if ((await element.getAttribute('id')) === 'active-frame') found.push(frame);
    }
    return found;
  }
}
