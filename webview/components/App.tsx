import { useLayoutEffect } from 'preact/hooks';
import type { TranscriptList } from '../transcript/transcriptList';
import { Composer } from './composer/Composer';
import { Dock } from './composer/Dock';
import { UsageMeter } from './composer/UsageMeter';
import { EmptyState } from './EmptyState';
import { Header } from './header/Header';
import { useChat, usePanel, useRedraw } from './panelContext';
import { Button, ProgressRing } from './toolkit';
import { Transcript } from './transcript/Transcript';

/** The whole panel, as soon as there is a chat to show. */
export function App({ transcript }: { transcript: TranscriptList }) {
  const { chat } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = chat.onChange(({ kind }) => kind !== 'folded' && redraw());
    return () => listening.dispose();
  }, [chat, redraw]);
  return (
    <main class="panel">{chat.state ? <Chat transcript={transcript} /> : <Opening failure={chat.failure} />}</main>
  );
}

function Chat({ transcript }: { transcript: TranscriptList }) {
  const isEmpty = useChat((state) => state.entries.length === 0);
  return (
    <>
      <Header />
      {isEmpty && <EmptyState />}
      <Transcript list={transcript} hidden={isEmpty} />
      <Dock transcript={transcript}>
        <Composer />
        <UsageMeter />
      </Dock>
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
