import type { Page } from 'playwright-core';
import type { FakeHost } from '../support/fakeHost';
import { text } from '../support/chats';
import { someSessions } from '../support/someSessions';

/** What is shown after an action: the initial scene, and the action. */
export interface Pose {
  scene: string;
  act: (page: Page, host: FakeHost) => Promise<void>;
}

/** Parts of the panel that are closed by default. */
export const openedParts: Readonly<Record<string, Pose>> = {
  find: {
    scene: 'answer',
    act: async (page) => {
      await page.keyboard.press('ControlOrMeta+f');
      await page.getByRole('textbox', { name: 'Find', exact: true }).fill('date');
      await page.keyboard.press('Enter');
      await page
        .getByRole('search')
        .getByText(/^2 of /)
        .waitFor();
    },
  },
  editing: {
    scene: 'finished',
    act: async (page, host) => {
      host.changes = [{ path: 'src/date.ts', changedSince: false }];
      await page.locator('article[data-kind=user]').first().focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Also restore').waitFor();
    },
  },
  asked: {
    scene: 'answer',
    act: async (page, host) => {
      const markdown = 'And more of it.\n\n'.repeat(40);
      host.emit({ type: 'entry-added', entry: text('more', markdown) });
      await page.locator('.asked').waitFor();
    },
  },
  menu: {
    scene: 'finished',
    act: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor();
    },
  },
  sessions: {
    scene: 'finished',
    act: async (page, host) => {
      host.sessions = someSessions();
      await page.getByRole('button', { name: 'Session history' }).click();
      await page.locator('.session-row').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
    },
  },
};
