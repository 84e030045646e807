import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/base/l10n';
import type { UserEntry } from '../../../src/protocol/chatState';
import type { ChangeSince } from '../../../src/protocol/hostApi';
import { fileWords } from '../../ui/words';
import { useDraft, usePanel } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';

/** Replaces an earlier message with a text box. Sending continues from there in a new session; the old one is kept. */
export function MessageEditor({ entry, close }: { entry: UserEntry; close: () => void }) {
  const { sessions, view } = usePanel();
  const key = `edit:${entry.id}`;
  const [text, setText] = useDraft(key);
  const [restore, setRestore] = useState(false);
  const [sending, setSending] = useState(false);
  const changes = useChanges(entry.id);
  const root = useRef<HTMLDivElement>(null);
  const end = () => {
    const article = root.current?.closest('article');
    view.setDraft(key, '');
    close();
    article?.focus();
  };
  const send = async () => {
    const message = text.trim();
    if (message === '' || sending) return;
    setSending(true);
    if (await sessions.branch(entry.id, message, restore)) view.setDraft(key, '');
    setSending(false);
  };
  return (
    <div ref={root} class="user editing" onKeyDown={(event) => event.key === 'Escape' && stop(event, end)}>
      <h2 class="visually-hidden">{t('Edit your message')}</h2>
      <EditBox text={text} setText={setText} send={() => void send()} />
      <Note changes={changes} restore={restore} setRestore={setRestore} />
      <div class="edit-actions">
        <Button kind="primary" main disabled={sending || text.trim() === ''} onClick={() => void send()}>
          {t('Send')}
        </Button>
        <Button kind="secondary" onClick={end}>
          {t('Cancel')}
        </Button>
      </div>
    </div>
  );
}

function stop(event: KeyboardEvent, act: () => void): void {
  event.preventDefault();
  act();
}

function EditBox({ text, setText, send }: { text: string; setText: (text: string) => void; send: () => void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.isComposing) return;
    stop(event, send);
  };
  return (
    <textarea
      ref={box}
      aria-label={t('Edit message')}
      dir="auto"
      rows={1}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

interface NoteProps {
  changes: readonly ChangeSince[];
  restore: boolean;
  setRestore: (restore: boolean) => void;
}

function Note({ changes, restore, setRestore }: NoteProps) {
  const paths = changes.map(({ path }) => path).join(', ');
  return (
    <>
      <p class="caption">{t('Continues from here in a new session. This session stays in the history.')}</p>
      {changes.length > 0 && (
        <label class="caption restore" title={paths}>
          <input type="checkbox" checked={restore} onChange={(event) => setRestore(event.currentTarget.checked)} />
          <span>
            {t(
              'Also restore {0} to before this message. Otherwise, files are not changed.',
              changes.length === 1 ? paths : fileWords(changes.length),
            )}
          </span>
        </label>
      )}
    </>
  );
}

/** Returns the changed files. Empty until they are known, or if they cannot be determined; then there is nothing to restore. */
function useChanges(entryId: string): readonly ChangeSince[] {
  const { sessions } = usePanel();
  const [changes, setChanges] = useState<readonly ChangeSince[]>([]);
  useEffect(() => {
    let isHere = true;
    sessions.changesSince(entryId).then(
      (known) => isHere && setChanges(known),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [sessions, entryId]);
  return changes;
}
