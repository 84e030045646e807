import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionSummary } from '../../src/protocol/hostApi';
import { Icon, IconButton } from '../ui/Icon';
import { useChat, usePanel } from '../ui/panelContext';
import { factsOf, foundLine, timeWords } from './sessionGroups';

interface SessionRowProps {
  session: SessionSummary;
  query: string;
  /** Titles shared by several sessions. */
  repeatedTitles: ReadonlySet<string>;
  reload: () => Promise<void>;
  /** Moves the focus when this row disappears. */
  backToSearch: () => void;
}

/** A session, with the sessions of agents started in it collapsed below. */
export function SessionRow(props: SessionRowProps) {
  const { children } = props.session;
  const [isOpen, setOpen] = useState(false);
  const open = isOpen || (props.query.trim() !== '' && children.length > 0);
  return (
    <>
      <OneRow {...props} below={children.length > 0 ? { count: children.length, open, setOpen } : null} />
      {open && (
        <li class="below">
          <ul aria-label={t('Agents of {0}', safeLine(props.session.title, 300))}>
            {children.map((child) => (
              <SessionRow key={child.sessionId} {...props} session={child} />
            ))}
          </ul>
        </li>
      )}
    </>
  );
}

interface Below {
  count: number;
  open: boolean;
  setOpen: (open: boolean) => void;
}

/** Enter opens it, F2 renames it, Delete deletes it, the arrow keys right and left expand and collapse it. */
function OneRow(props: SessionRowProps & { below: Below | null }) {
  const { session, query, repeatedTitles, reload, backToSearch, below } = props;
  const { sessions, parts } = usePanel();
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const { sessionId } = session;
  const title = safeLine(session.title, 300);
  const remove = async () => {
    await sessions.remove(sessionId);
    await reload();
    if (row.current?.isConnected !== true) backToSearch();
  };
  const rename = async (name: string | null) => {
    setRenaming(false);
    // Also awaited if nothing is renamed: the box is gone only after that.
    if (await (name !== null && name !== session.title && sessions.rename(sessionId, name))) await reload();
    // The user may have moved the focus by now.
    const { activeElement } = document;
    const isFree = activeElement === null || activeElement === document.body;
    if (isFree) row.current?.querySelector<HTMLElement>('.session-row')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (renaming) return;
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') void remove();
    else if (below && (event.key === 'ArrowRight' || event.key === 'ArrowLeft'))
      below.setOpen(event.key === 'ArrowRight');
    else return;
    event.preventDefault();
  };
  const open = () => {
    parts.close();
    sessions.open(sessionId);
  };
  return (
    <li ref={row} onKeyDown={onKeyDown}>
      {below ? <BelowButton {...below} title={title} /> : <span class="twisty" />}
      {renaming ? (
        <RenameBox title={session.title} done={(name) => void rename(name)} />
      ) : (
        <Row {...{ session, query, repeatedTitles, open }} />
      )}
      {!renaming && (
        <RowActions {...{ session, title, reload }} rename={() => setRenaming(true)} remove={() => void remove()} />
      )}
    </li>
  );
}

interface RowActionsProps {
  session: SessionSummary;
  title: string;
  reload: () => Promise<void>;
  rename: () => void;
  remove: () => void;
}

function RowActions({ session: { sessionId, isFavorite }, title, reload, rename, remove }: RowActionsProps) {
  const { sessions } = usePanel();
  const turnFavorite = async () => {
    if (await sessions.setFavorite(sessionId, !isFavorite)) await reload();
  };
  return (
    <span class="row-actions">
      <IconButton
        icon={isFavorite ? 'star-full' : 'star-empty'}
        label={isFavorite ? t('Remove {0} from favorites', title) : t('Add {0} to favorites', title)}
        title={isFavorite ? t('Remove from favorites') : t('Add to favorites')}
        onClick={() => void turnFavorite()}
      />
      <IconButton
        icon="go-to-file"
        label={t('Open {0} in an editor tab', title)}
        title={t('Open in an editor tab')}
        onClick={() => sessions.openInEditor(sessionId)}
      />
      <IconButton icon="edit" label={t('Rename {0}', title)} title={t('Rename (F2)')} onClick={rename} />
      <IconButton icon="trash" label={t('Delete {0}', title)} title={t('Delete (Del)')} onClick={remove} />
    </span>
  );
}

function BelowButton({ count, open, setOpen, title }: Below & { title: string }) {
  return (
    <button
      type="button"
      class="twisty"
      aria-expanded={open}
      aria-label={count === 1 ? t('1 agent of {0}', title) : t('{0} agents of {1}', count, title)}
      title={count === 1 ? t('1 agent, started in this session') : t('{0} agents, started in this session', count)}
      onClick={() => setOpen(!open)}
    >
      <Icon name={open ? 'chevron-down' : 'chevron-right'} />
    </button>
  );
}

interface RowProps {
  session: SessionSummary;
  query: string;
  repeatedTitles: ReadonlySet<string>;
  open: () => void;
}

function Row({ session, query, repeatedTitles, open }: RowProps) {
  const isShown = useChat((state) => state.sessionId) === session.sessionId;
  const line = foundLine(session, query);
  const facts = factsOf(session, repeatedTitles.has(session.title));
  const title = safeLine(session.title, 300);
  return (
    <button type="button" class="session-row" aria-current={isShown} title={title} onClick={open}>
      {(session.waiting || session.running) && (
        <span class="lead">{session.waiting ? <Icon name="bell-dot" /> : <Icon name="loading" class="spin" />}</span>
      )}
      <span class="session-name">
        {session.agent !== null && <strong>{safeLine(session.agent, 100)} </strong>}
        {title}
      </span>
      {session.waiting || session.running ? (
        <span class="session-time">{session.waiting ? t('waiting for you') : t('running')}</span>
      ) : (
        <span class="session-time">{timeWords(session)}</span>
      )}
      {facts.length > 0 && <span class="session-found">{safeLine(facts.join(' · '), 300, 'exact')}</span>}
      {line !== undefined && <span class="session-found">{safeLine(line)}</span>}
    </button>
  );
}

/** Enter saves the name, Escape cancels. */
function RenameBox({ title, done }: { title: string; done: (name: string | null) => void }) {
  const box = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useLayoutEffect(() => box.current?.select(), []);
  const end = (name: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    done(name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const name = box.current?.value.trim() ?? '';
    if (event.key === 'Escape') end(null);
    else if (event.key === 'Enter' && name !== '') end(name);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={box}
      class="rename-box"
      type="text"
      aria-label={t('Session name')}
      defaultValue={title}
      maxLength={200}
      onKeyDown={onKeyDown}
      onBlur={() => end(null)}
    />
  );
}
