import { useLayoutEffect } from 'preact/hooks';
import { t } from '../src/base/l10n';
import { Writing } from './composer/Composer';
import { Dock } from './composer/Dock';
import { FindBar } from './find/FindBar';
import type { TranscriptFind } from './find/transcriptFind';
import { Header } from './header/Header';
import { SessionList } from './sessions/SessionList';
import { EmptyState, Transcript } from './transcript/Transcript';
import type { TranscriptList } from './transcript/transcriptList';
import { useChat, useOpenPart, usePanel, useRedraw } from './ui/panelContext';
import { Icon } from './ui/Icon';
import { Button } from './ui/toolkit';
import { contextWords, meterWords } from './ui/words';

interface ChatProps {
  transcript: TranscriptList;
  find: TranscriptFind;
}

/** The whole panel, once there is a chat to show. */
export function App(props: ChatProps) {
  const { chat } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = chat.onChange(({ kind }) => kind !== 'folded' && redraw());
    return () => listening.dispose();
  }, [chat, redraw]);
  return <main class="panel">{chat.state ? <Chat {...props} /> : <Opening failure={chat.failure} />}</main>;
}

function Chat({ transcript, find }: ChatProps) {
  const isEmpty = useChat((state) => state.entries.length === 0);
  const part = useOpenPart();
  return (
    <>
      <Header transcript={transcript} />
      <div class="below-header">
        {part === 'sessions' && <SessionList />}
        {part === 'find' && <FindBar find={find} transcript={transcript} />}
        <div class={part === 'sessions' ? 'chat covered' : 'chat'}>
          {isEmpty && <EmptyState />}
          <Transcript list={transcript} hidden={isEmpty} />
          <Dock transcript={transcript}>
            <Writing sent={() => transcript.scroll.toEnd()} />
            <UsageMeter />
          </Dock>
        </div>
      </div>
    </>
  );
}

function Opening({ failure }: { failure: string | null }) {
  const { chats, view } = usePanel();
  if (failure === null) {
    return (
      <div class="opening slow" aria-busy="true">
        <Icon name="loading" class="spin" />
      </div>
    );
  }
  return (
    <div class="opening" role="alert">
      <h1>{t('The chat could not be opened')}</h1>
      <p>{failure}</p>
      <Button kind="primary" onClick={() => chats.open(view.sessionId ?? undefined)}>
        {t('Try again')}
      </Button>
    </div>
  );
}

/** How full the model's context window is: a thin bar and a number, with details on hover. Hidden while nothing is used. */
function UsageMeter() {
  const usage = useChat((state) => state.usage);
  const words = contextWords(usage);
  if (words === null || usage.contextWindow === null || usage.contextTokens === 0) return null;
  const share = Math.min(1, usage.contextTokens / usage.contextWindow);
  return (
    <div
      class={share > 0.85 ? 'meter nearly-full' : 'meter'}
      role="meter"
      title={words}
      aria-label={t('Context used')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={words}
    >
      <div class="track">
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <span aria-hidden="true">{meterWords(usage.contextWindow, usage)}</span>
    </div>
  );
}
