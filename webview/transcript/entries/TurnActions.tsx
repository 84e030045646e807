import { useState } from 'preact/hooks';
import { t } from '../../../src/base/l10n';
import { answerOfTurn } from '../../../src/protocol/answerOfTurn';
import type { TurnEntry } from '../../../src/protocol/chatState';
import type { ChangeSince } from '../../../src/protocol/hostApi';
import { focusComposer } from '../../ui/focus';
import { IconButton } from '../../ui/Icon';
import { useChat, usePanel } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';

/** Actions on a turn. All but the one that undoes it are visible only on hover or focus. */
export function TurnActions({ entry, retry }: { entry: TurnEntry; retry: Retry }) {
  const { sessions, review } = usePanel();
  const isRunning = useChat((state) => state.run !== null);
  const { messageId, files } = entry;
  const branch = async () => {
    if (await sessions.branchAfter(entry.runId)) focusComposer();
  };
  return (
    <span class="turn-actions" role="group" aria-label={t('Turn')}>
      <CopyAnswer turnId={entry.id} />
      {!isRunning && messageId !== null && (
        <IconButton
          icon="refresh"
          label={t('Retry')}
          title={t('Ask again in a new session')}
          onClick={() => void retry.begin(messageId)}
        />
      )}
      {!isRunning && (
        <IconButton
          icon="repo-forked"
          label={t('Branch from here')}
          title={t('Continue from here in a new session')}
          onClick={() => void branch()}
        />
      )}
      {!isRunning && messageId !== null && files.length > 0 && (
        <span class="turn-restore">
          <IconButton icon="discard" label={t('Restore checkpoint…')} onClick={() => review.restore(messageId)} />
        </span>
      )}
    </span>
  );
}

/** Copies the agent's last text of the turn, as written. */
function CopyAnswer({ turnId }: { turnId: string }) {
  const { chat, editor } = usePanel();
  // Entries above the end of a turn no longer change.
  const entries = chat.state?.entries ?? [];
  const end = entries.findLastIndex(({ id }) => id === turnId);
  const answer = answerOfTurn(entries, end)?.text;
  if (answer === undefined) return null;
  return <IconButton icon="copy" label={t('Copy answer')} onClick={() => void editor.copy(answer)} />;
}

/** Retries a message, after asking what to do with the files changed since. */
interface Retry {
  changes: readonly ChangeSince[];
  begin(messageId: string | null): Promise<void>;
  go(messageId: string | null, restoreFiles: boolean): Promise<void>;
  cancel(): void;
}

export function useRetry(): Retry {
  const { chat, sessions } = usePanel();
  const [changes, setChanges] = useState<readonly ChangeSince[]>([]);
  const go = async (messageId: string | null, restoreFiles: boolean) => {
    setChanges([]);
    const message = chat.state?.entries.find(({ id }) => id === messageId);
    if (message?.kind === 'user' && (await sessions.branch(message.id, message.text, restoreFiles))) focusComposer();
  };
  const begin = async (messageId: string | null) => {
    if (messageId === null) return;
    // If the changes cannot be determined, there is nothing to restore.
    const changed = await sessions.changesSince(messageId).catch(() => []);
    if (changed.length === 0) await go(messageId, false);
    else setChanges(changed);
  };
  return { changes, begin, go, cancel: () => setChanges([]) };
}

/** Asks what to do with the files before a message is retried. */
export function RetryQuestion({ retry, messageId }: { retry: Retry; messageId: string | null }) {
  const isRunning = useChat((state) => state.run !== null);
  const { changes } = retry;
  if (changes.length === 0 || isRunning) return null;
  const names = changes.map(({ path }) => path).join('\n');
  return (
    <div class="turn-review" role="group" aria-label={t('Retry')}>
      <span class="turn-review-words" title={names}>
        {changes.length === 1
          ? t('Restore 1 file to before the message?')
          : t('Restore {0} files to before the message?', changes.length)}
      </span>
      <span class="ask-buttons">
        <Button
          kind="primary"
          title={t('Will be restored:\n{0}', names)}
          onClick={() => void retry.go(messageId, true)}
        >
          {t('Restore and retry')}
        </Button>
        <Button kind="secondary" onClick={() => void retry.go(messageId, false)}>
          {t('Keep and retry')}
        </Button>
        <Button kind="secondary" onClick={() => retry.cancel()}>
          {t('Cancel')}
        </Button>
      </span>
    </div>
  );
}
