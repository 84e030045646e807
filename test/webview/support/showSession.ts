import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatState } from '../../../src/protocol/chatState';
import { until } from '../../editor/until';
import type { FakeHost } from './fakeHost';

/** Has the host show another session, and waits until the page shows it: what is pressed before that belongs to the old one. */
export async function showSession(page: Page, host: FakeHost, state: ChatState): Promise<void> {
  const shown = () => page.evaluate<unknown>("JSON.parse(sessionStorage.getItem('state') ?? '{}').sessionId");
  assert.notEqual(await shown(), state.sessionId, 'Another session needs another id.');
  host.showSession(state);
  await until(`the session ${state.sessionId}`, async () => (await shown()) === state.sessionId);
}
