import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { ChatSetup } from '../../src/protocol/chatState';
import type { PanelCommand } from '../../src/protocol/commands';
import { IN_VIEW } from '../../src/protocol/panelDocument';
import type { TranscriptList } from '../transcript/transcriptList';
import { focusComposer } from '../ui/focus';
import { Icon, IconButton } from '../ui/Icon';
import { useChat, useOpenPart, usePanel } from '../ui/panelContext';

/** Shows the current session. In a tab it also has the buttons that the view shows in its title bar. */
export function Header({ transcript }: { transcript: TranscriptList }) {
  const { parts } = usePanel();
  const title = useChat((state) => safeLine(state.title, 300));
  const parent = useChat((state) => state.setup.parent);
  const isListed = useOpenPart() === 'sessions';
  const toggleList = () => (isListed ? parts.close() : parts.show('sessions'));
  return (
    <header class="header">
      <div class="header-words">
        {parent !== null && <BackTo {...parent} />}
        <h1>
          <button type="button" class="session-title" data-role="session-title" title={title} onClick={toggleList}>
            {title === '' ? t('New session') : title}
          </button>
        </h1>
        <AskedLine transcript={transcript} title={title} />
      </div>
      {!isInView() && <Buttons isListed={isListed} toggleList={toggleList} />}
    </header>
  );
}

/** Leads from a started agent's session back to the session that started it. */
function BackTo({ sessionId, title: foreign }: NonNullable<ChatSetup['parent']>) {
  const { chats } = usePanel();
  const title = safeLine(foreign, 300) || t('The session that started this one');
  const go = () => {
    chats.open(sessionId);
    focusComposer();
  };
  return (
    <button type="button" class="back-to" title={title} aria-label={t('Back to {0}', title)} onClick={go}>
      <Icon name="arrow-left" />
      <span>{title}</span>
    </button>
  );
}

const isInView = (): boolean => document.body.hasAttribute(IN_VIEW);

function Buttons({ isListed, toggleList }: { isListed: boolean; toggleList: () => void }) {
  const { chats, parts } = usePanel();
  const begin = () => {
    parts.close();
    chats.newSession();
  };
  return (
    <>
      <IconButton icon="add" label={t('New session')} onClick={begin} />
      <IconButton icon="history" label={t('Session history')} expanded={isListed} onClick={toggleList} />
      <MoreMenu />
    </>
  );
}

/** The message being answered, once scrolled out of view; hidden if it starts like the title. */
function AskedLine({ transcript, title }: { transcript: TranscriptList; title: string }) {
  const { chat } = usePanel();
  const [asked, setAsked] = useState<string | null>(null);
  useLayoutEffect(() => {
    let frame: number | undefined;
    const look = () => {
      frame = undefined;
      setAsked(transcript.askedAbove()?.text ?? null);
    };
    const lookSoon = () => {
      frame ??= requestAnimationFrame(look);
    };
    const abort = new AbortController();
    transcript.element.addEventListener('scroll', lookSoon, { signal: abort.signal, passive: true });
    const listening = chat.onChange(({ kind }) => kind === 'shown' && lookSoon());
    return () => {
      abort.abort();
      listening.dispose();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [transcript, chat]);
  if (asked === null || asked === '') return null;
  const words = safeLine(asked, 1000);
  if (title !== '' && words.startsWith(title.replace(/…$/, ''))) return null;
  return (
    <span class="asked" dir="auto" title={words}>
      {words}
    </span>
  );
}

interface Item {
  label: () => string;
  /** Absent for find, which the panel does itself. */
  command?: PanelCommand;
  /** True if it is useless in an empty session. */
  needsEntries: boolean;
}

const ITEMS: readonly Item[] = [
  { label: () => t('Find in chat'), needsEntries: true },
  { label: () => t('Open transcript as document'), command: 'openTranscript', needsEntries: true },
  { label: () => t('Open chat in editor'), command: 'openInEditor', needsEntries: false },
  { label: () => t('Export session…'), command: 'exportSession', needsEntries: true },
  { label: () => t('Rename session…'), command: 'renameSession', needsEntries: true },
  { label: () => t('Delete session…'), command: 'deleteSession', needsEntries: true },
];

/** Rarely used actions on the current session. Arrow keys move through it, Escape closes it. */
function MoreMenu() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class="more">
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={t('More actions')}
        title={t('More actions')}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="ellipsis" />
      </button>
      {open && <Menu close={close} leave={() => setOpen(false)} />}
    </div>
  );
}

function Menu({ close, leave }: { close: () => void; leave: () => void }) {
  const { editor, parts } = usePanel();
  const isEmpty = useChat((state) => state.entries.length === 0);
  const menu = useRef<HTMLDivElement>(null);
  const choose = ({ command }: Item) => {
    close();
    if (command === undefined) parts.show('find');
    else editor.runCommand(command);
  };
  useLayoutEffect(() => menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus(), []);
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node) || !menu.current?.contains(relatedTarget)) leave();
  };
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      aria-label={t('More actions')}
      onKeyDown={(event) => onKey(event, close)}
      onFocusOut={onFocusOut}
    >
      {ITEMS.filter(({ needsEntries }) => !isEmpty || !needsEntries).map((item) => (
        <button key={item.command} type="button" role="menuitem" tabIndex={-1} onClick={() => choose(item)}>
          {item.label()}
        </button>
      ))}
    </div>
  );
}

function onKey(event: KeyboardEvent, close: () => void): void {
  const { currentTarget, target, key } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (key === 'Escape') {
    event.preventDefault();
    close();
    return;
  }
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(target);
  const next = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: -1,
  };
  if (!Object.hasOwn(next, key)) return;
  event.preventDefault();
  const [, to] = Object.entries(next).find(([one]) => one === key) ?? [];
  items.at(to ?? 0)?.focus();
}
