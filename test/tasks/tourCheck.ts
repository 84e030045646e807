import { createTwoFilesPatch } from 'diff';
import { EditorSession } from '../editor/editorSession';
import { keepEvidence } from '../editor/keepEvidence';
import { Panel } from '../editor/panel';
import type { Entry } from '../editor/readEntries';
import { closeSharedBrowser } from '../editor/sharedBrowser';
import { until } from '../editor/until';

const TOUR_TIMEOUT_MS = 120_000;

/**
 * Plays the tour of demo:tour in a headless editor like a new user: says hello, accepts the edit, allows the command, answers the
 * question. Prints the conversation and what changed in the folder. Returns false and prints the reason if any of that does not
 * happen.
 */
export async function tourCheck(developmentPath?: string): Promise<boolean> {
  console.log('Opening the panel in a headless editor …');
  const session = await EditorSession.start({ trace: true, ...(developmentPath && { developmentPath }) });
  const tour = new Tour(session);
  try {
    await tour.play();
    tour.printConversation();
    await tour.printChanges();
    console.log('\nThe tour was played to its end.');
    return true;
  } catch (error) {
    tour.printConversation();
    console.error(`\nThe tour failed: ${error instanceof Error ? error.message : String(error)}`);
    console.error(`Evidence: ${await keepEvidence('tour', session)}`);
    return false;
  } finally {
    await session.close();
    await closeSharedBrowser();
  }
}

class Tour {
  /** By id, because a long transcript is rendered only in part. */
  private readonly seen = new Map<string, Entry>();
  private readonly done: string[] = [];
  private before = new Map<string, string>();

  constructor(private readonly session: EditorSession) {}

  async play(): Promise<void> {
    this.before = await this.session.workspace.snapshot();
    const window = await this.session.openWindow();
    const panel = new Panel(window);
    await panel.open();
    await panel.send('hello');
    await until('the tour to end', () => this.step(panel), TOUR_TIMEOUT_MS);
    await this.look(panel);
    for (const needed of ['edit', 'question']) {
      if (!this.done.includes(needed)) throw new Error(`The tour ended without asking for its ${needed}.`);
    }
    if ((await this.changes()).length === 0) throw new Error('The edit was accepted, but no file changed.');
    if (window.console.proposedApi.length > 0) throw new Error(window.console.proposedApi.join('\n'));
  }

  /** Answers whatever the panel asks. Returns true once the turn has ended. */
  private async step(panel: Panel): Promise<boolean> {
    await this.look(panel);
    if ((await (await panel.locate('[data-approval-id]')).count()) > 0) {
      const isEdit = (await (await panel.button('Accept')).count()) > 0;
      await panel.approve();
      this.note(isEdit ? 'edit' : 'command');
    } else if ((await (await panel.locate('[data-question-id] button')).count()) > 0) {
      const [option] = await panel.questionOptions();
      await panel.answer(option ?? 'Thank you');
      this.note('question');
    }
    return [...this.seen.values()].some((entry) => entry.kind === 'turn');
  }

  printConversation(): void {
    console.log('\n--- The conversation');
    for (const entry of this.seen.values()) {
      const what = [entry.kind, entry.tool, entry.status].filter(Boolean).join(' ');
      console.log(`[${what}] ${entry.text.replace(/\n+/g, '\n    ')}`);
    }
  }

  async printChanges(): Promise<void> {
    console.log('\n--- Changed files');
    for (const patch of await this.changes()) console.log(patch);
  }

  private async changes(): Promise<string[]> {
    const after = await this.session.workspace.snapshot();
    return [...after]
      .filter(([file, text]) => text !== this.before.get(file))
      .map(([file, text]) => createTwoFilesPatch(file, file, this.before.get(file) ?? '', text));
  }

  private async look(panel: Panel): Promise<void> {
    for (const entry of await panel.entries()) this.seen.set(entry.id, entry);
  }

  private note(what: string): void {
    this.done.push(what);
    console.log(`  answered: ${what}`);
  }
}
