import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { TranscriptFind } from './transcriptFind';
import { focusComposer } from '../ui/focus';
import type { TranscriptList } from '../transcript/transcriptList';
import { IconButton } from '../ui/Icon';
import { usePanel, useRedraw } from '../ui/panelContext';

interface FindBarProps {
  find: TranscriptFind;
  transcript: TranscriptList;
}

/** Mirrors the editor's find bar: text, n of m, next and previous, match case. */
export function FindBar({ find, transcript }: FindBarProps) {
  const { parts } = usePanel();
  const box = useRef<HTMLInputElement>(null);
  useFinding({ find, transcript }, box);
  const close = () => {
    const entryId = find.end();
    parts.close();
    const article = entryId === undefined ? undefined : transcript.nodeOf(entryId);
    if (article) article.focus({ preventScroll: true });
    else focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === box.current && !event.isComposing) {
      find.go(event.shiftKey ? 'previous' : 'next');
    } else if (event.altKey && event.code === 'KeyC') find.search(find.query, !find.matchCase);
    else return;
    event.preventDefault();
  };
  return (
    <div class="find-bar" role="search" aria-label={t('Find in chat')} onKeyDown={onKeyDown}>
      <FindBox find={find} box={box} />
      <FindCount find={find} />
      <IconButton
        icon="arrow-up"
        label={t('Previous match')}
        title={t('Previous match (Shift+Enter)')}
        onClick={() => find.go('previous')}
      />
      <IconButton
        icon="arrow-down"
        label={t('Next match')}
        title={t('Next match (Enter)')}
        onClick={() => find.go('next')}
      />
      <IconButton icon="close" label={t('Close find')} title={t('Close (Escape)')} onClick={close} />
    </div>
  );
}

/** Searches while the bar is open. The bar takes focus when it opens and whenever it is requested again. */
function useFinding({ find, transcript }: FindBarProps, box: { current: HTMLInputElement | null }): void {
  const { parts } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const takeFocus = () => {
      const { current } = box;
      current?.focus();
      current?.select();
    };
    const listening = [find.onChange(redraw), parts.onChange((part) => part === 'find' && takeFocus())];
    const selected = selectedIn(transcript.element);
    if (selected !== '') find.query = selected;
    find.begin();
    takeFocus();
    return () => {
      for (const one of listening) one.dispose();
      find.end();
    };
  }, [find, parts, redraw, transcript, box]);
}

function FindBox({ find, box }: { find: TranscriptFind; box: { current: HTMLInputElement | null } }) {
  return (
    <div class="find-box">
      <input
        ref={box}
        type="text"
        aria-label={t('Find')}
        placeholder={t('Find')}
        spellcheck={false}
        value={find.query}
        onInput={(event) => find.search(event.currentTarget.value, find.matchCase)}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={t('Match case')}
        title={t('Match case (Alt+C)')}
        aria-pressed={find.matchCase}
        onClick={() => find.search(find.query, !find.matchCase)}
      >
        <span class="codicon codicon-case-sensitive" aria-hidden="true" />
      </button>
    </div>
  );
}

function FindCount({ find: { query, total, number } }: { find: TranscriptFind }) {
  const isMissing = query !== '' && total === 0;
  return (
    <span class={isMissing ? 'find-count missing' : 'find-count'} role="status">
      {isMissing || query === '' ? t('No results') : t('{0} of {1}', number, total)}
    </span>
  );
}

/** Returns the selected text in the conversation if it is short enough to search for. */
function selectedIn(element: Element): string {
  const selection = document.getSelection();
  const text = selection?.toString().trim() ?? '';
  return selection?.containsNode(element, true) && text.length < 200 && !text.includes('\n') ? text : '';
}
