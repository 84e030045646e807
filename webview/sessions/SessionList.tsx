import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../../src/base/errors';
import { t } from '../../src/base/l10n';
import type { SessionSummary } from '../../src/protocol/hostApi';
import { backToComposer } from '../ui/focus';
import { usePanel } from '../ui/panelContext';
import { Button } from '../ui/toolkit';
import { repeatedTitles, sessionGroups } from './sessionGroups';
import { SessionRow } from './SessionRow';

/** Other sessions run out of view, so their state is polled at this interval while the list is open. */
const AGAIN_MS = 2_000;

interface Sessions {
  /** Null while loading. */
  list: readonly SessionSummary[] | null;
  failure: string | null;
  reload: () => Promise<void>;
}

/** All sessions of the workspace, on top of the chat: search, by day, rename, delete. */
export function SessionList() {
  const { parts } = usePanel();
  const [query, setQuery] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const sessions = useSessions();
  useLayoutEffect(() => box.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') backToComposer(parts);
    else if (!walk(event)) return;
    event.preventDefault();
  };
  return (
    <section class="sessions" aria-label={t('Sessions')} onKeyDown={onKeyDown}>
      <input
        ref={box}
        class="sessions-search"
        type="text"
        aria-label={t('Search sessions')}
        placeholder={t('Search titles and first messages')}
        spellcheck={false}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <Groups sessions={sessions} query={query} backToSearch={() => box.current?.focus()} />
    </section>
  );
}

interface GroupsProps {
  sessions: Sessions;
  query: string;
  backToSearch: () => void;
}

function Groups({ sessions: { list, failure, reload }, query, backToSearch }: GroupsProps) {
  if (failure !== null) {
    return (
      <div class="sessions-note" role="alert">
        <p>{t('The sessions could not be read. {0}', failure)}</p>
        <Button kind="secondary" onClick={() => void reload()}>
          {t('Try again')}
        </Button>
      </div>
    );
  }
  if (list === null) return <div class="sessions-note" aria-busy="true" />;
  const groups = sessionGroups(list, query, Date.now());
  const repeated = repeatedTitles(list);
  const count = groups.reduce((sum, { sessions }) => sum + sessions.length, 0);
  return (
    <>
      <p class="visually-hidden" role="status">
        {count === 1 ? t('1 session') : t('{0} sessions', count)}
      </p>
      {count === 0 && <p class="sessions-note">{noneWords(list.length > 0)}</p>}
      <div class="sessions-scroll">
        {groups.map(({ day, sessions }) => (
          <section key={day} aria-label={day}>
            <h2>{day}</h2>
            <ul>
              {sessions.map((session) => (
                <SessionRow
                  key={session.sessionId}
                  session={session}
                  query={query}
                  repeatedTitles={repeated}
                  reload={reload}
                  backToSearch={backToSearch}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function noneWords(areThereOthers: boolean): string {
  return areThereOthers
    ? t('No matching sessions.')
    : t('No sessions in this workspace yet. Send a message to start one.');
}

/** Moves up and down through the search box and the rows. */
function walk({ key, target, currentTarget }: KeyboardEvent): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 };
  if (!(key === 'ArrowDown' || key === 'ArrowUp') || !(currentTarget instanceof HTMLElement)) return false;
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('.sessions-search, .session-row')];
  const row = target instanceof Element ? (target.closest('li')?.querySelector('.session-row') ?? target) : null;
  const at = stops.findIndex((one) => one === row);
  const next = at < 0 ? undefined : stops[at + step[key]];
  next?.focus();
  return next !== undefined;
}

/** Returns the sessions of the workspace, reloaded periodically. */
function useSessions(): Sessions {
  const { sessions } = usePanel();
  const [list, setList] = useState<readonly SessionSummary[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      setList(await sessions.list());
      setFailure(null);
    } catch (error) {
      setFailure(errorText(error));
    }
  }, [sessions]);
  useLayoutEffect(() => {
    void reload();
    const timer = setInterval(() => void reload(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return { list, failure, reload };
}
