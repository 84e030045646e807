import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { TranscriptList } from '../transcript/transcriptList';
import { Icon } from '../ui/Icon';
import { IconButton } from '../ui/IconButton';
import { useChat, usePanel, useRedraw } from '../ui/panelContext';
import { Button } from '../ui/toolkit';
import { QueuedMessages } from './QueuedMessages';
import { RunLine } from './RunLine';
import { TodoStrip } from './TodoStrip';
import { WaitingLine } from './WaitingLine';

/** What stays in sight below the conversation. */
export function Dock({ transcript, children }: { transcript: TranscriptList; children: ComponentChildren }) {
  return (
    <div class="dock">
      <FailureLine />
      <ResumeLine />
      <WaitingLine transcript={transcript} />
      <TodoStrip />
      <RunLine />
      <QueuedMessages />
      {children}
    </div>
  );
}

/** A request that failed. The rest of the panel works on. */
function FailureLine() {
  const { failures, chat, chats } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = failures.onChange(redraw);
    return () => listening.dispose();
  }, [failures, redraw]);
  const text = chat.failure === null ? failures.current : `The chat could not be opened. ${chat.failure}`;
  if (text === null) return <div role="alert" />;
  return (
    <div class="strip failure" role="alert">
      <Icon name="error" />
      <span class="strip-text">{text}</span>
      {chat.failure === null ? (
        <IconButton icon="close" label="Dismiss" onClick={() => failures.clear()} />
      ) : (
        <Button kind="quiet" onClick={() => chats.open(chat.state?.sessionId)}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** A run that was cut off, unless the last notice offers to go on already. */
function ResumeLine() {
  const { run } = usePanel();
  const isOffered = useChat(({ canResume, run: current, entries }) => {
    const last = entries.at(-1);
    const said = last?.kind === 'notice' && last.action !== null && 'resume' in last.action;
    return canResume && current === null && !said;
  });
  if (!isOffered) return null;
  return (
    <div class="strip">
      <Icon name="debug-disconnect" />
      <span class="strip-text">The last run was cut off.</span>
      <Button kind="quiet" onClick={() => run.resume()}>
        Continue
      </Button>
    </div>
  );
}
