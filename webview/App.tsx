import { useLayoutEffect } from 'preact/hooks';
import type { TranscriptFind } from './find/transcriptFind';
import type { TranscriptList } from './transcript/transcriptList';
import { Composer } from './composer/Composer';
import { Dock } from './composer/Dock';
import { UsageMeter } from './composer/UsageMeter';
import { EmptyState } from './transcript/EmptyState';
import { FindBar } from './find/FindBar';
import { Header } from './header/Header';
import { useChat, useOpenPart, usePanel, useRedraw } from './ui/panelContext';
import { SessionList } from './sessions/SessionList';
import { Button, ProgressRing } from './ui/toolkit';
import { Transcript } from './transcript/Transcript';

interface ChatProps {
  transcript: TranscriptList;
  find: TranscriptFind;
}

/** The whole panel, as soon as there is a chat to show. */
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
      <Header />
      <div class="below-header">
        {part === 'sessions' && <SessionList />}
        {part === 'find' && <FindBar find={find} transcript={transcript} />}
        <div class={part === 'sessions' ? 'chat covered' : 'chat'}>
          {isEmpty && <EmptyState />}
          <Transcript list={transcript} hidden={isEmpty} />
          <Dock transcript={transcript}>
            <Composer />
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
        <ProgressRing />
      </div>
    );
  }
  return (
    <div class="opening" role="alert">
      <h1>The chat could not be opened</h1>
      <p>{failure}</p>
      <Button kind="primary" onClick={() => chats.open(view.sessionId ?? undefined)}>
        Try again
      </Button>
    </div>
  );
}
