import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { QueuedMessage, RunStatus } from '../../src/protocol/chatState';
import { firstWaiting, runningTool } from '../store/selectors';
import type { TranscriptList } from '../transcript/transcriptList';
import { Icon, IconButton } from '../ui/Icon';
import { focusComposer } from '../ui/focus';
import { useChat, useNow, useOpen, usePanel, useRedraw } from '../ui/panelContext';
import { Button } from '../ui/toolkit';
import { durationWords } from '../ui/words';
import { ReviewBar } from './ReviewBar';

/** Longer silence is reported. */
const QUIET_MS = 10_000;

const STATES: Record<RunStatus['state'], () => string> = {
  thinking: () => t('Thinking…'),
  answering: () => t('Answering…'),
  'running-tool': () => t('Working…'),
  'waiting-for-approval': () => t('Waiting for your approval'),
  'waiting-for-answer': () => t('Waiting for your answer'),
  stopping: () => t('Stopping…'),
};

/** What stays visible below the conversation. */
export function Dock({ transcript, children }: { transcript: TranscriptList; children: ComponentChildren }) {
  return (
    <div class="dock">
      <FailureLine />
      <ResumeLine />
      <WaitingLine transcript={transcript} />
      <TodoStrip />
      <ReviewBar transcript={transcript} />
      <RunLine />
      <QueuedMessages />
      {children}
    </div>
  );
}

/** Reports a failed request. The rest of the panel keeps working. */
function FailureLine() {
  const { failures, chat, chats } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = failures.onChange(redraw);
    return () => listening.dispose();
  }, [failures, redraw]);
  const text = chat.failure === null ? failures.current : t('The chat could not be opened. {0}', chat.failure);
  if (text === null) return <div role="alert" />;
  return (
    <div class="strip failure" role="alert">
      <Icon name="error" />
      <span class="strip-text">{text}</span>
      {chat.failure === null ? (
        <IconButton icon="close" label={t('Dismiss')} onClick={() => failures.clear()} />
      ) : (
        <Button kind="quiet" onClick={() => chats.open(chat.state?.sessionId)}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

/** Offers to continue an interrupted run, unless the last notice already does. */
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
      <span class="strip-text">{t('The last run was interrupted.')}</span>
      <Button kind="quiet" onClick={() => run.resume()}>
        {t('Continue')}
      </Button>
    </div>
  );
}

/** The agent's to-dos: the current one and how many are done; expands to the list. */
function TodoStrip() {
  const todos = useChat((state) => state.todos);
  const [open, setOpen] = useOpen('todos', false);
  if (todos.length === 0) return null;
  const done = todos.filter((todo) => todo.done).length;
  const current = todos.find((todo) => !todo.done);
  return (
    <section class="todos" aria-label={t('To-dos')}>
      <button type="button" class="strip" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="strip-text" dir="auto">
          {open ? t('To-dos') : safeLine(current?.text ?? t('All to-dos completed'))}
        </span>
        <span class="count">{`${done}/${todos.length}`}</span>
      </button>
      {open && (
        <ul>
          {todos.map((todo) => (
            <li key={todo.id} class={todo.done ? 'done' : ''}>
              <Icon name={todo.done ? 'pass' : todo === current ? 'circle-large-filled' : 'circle-large'} />
              <span dir="auto">{safeLine(todo.text, 1000)}</span>
              <span class="visually-hidden">{`, ${todo.done ? t('done') : t('open')}`}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Shown while a pending request is scrolled out of view; a click scrolls to it. */
function WaitingLine({ transcript }: { transcript: TranscriptList }) {
  const approvals = useChat((state) => state.approvals);
  const questions = useChat((state) => state.questions);
  const waiting = firstWaiting({ approvals, questions });
  const block = waiting ? transcript.nodeOf(waiting.entryId) : undefined;
  const [isSeen, setSeen] = useState(true);
  useLayoutEffect(() => {
    setSeen(true);
    if (!block) return;
    const watch = new IntersectionObserver((seen) => setSeen(seen.at(-1)?.isIntersecting ?? true), {
      root: transcript.element,
    });
    watch.observe(block);
    return () => watch.disconnect();
  }, [block, transcript]);
  if (!waiting || isSeen) return null;
  const what = waiting.kind === 'approval' ? t('Waiting for your approval') : t('Waiting for your answer');
  return (
    <button type="button" class="strip waiting-line" onClick={() => transcript.goTo(waiting.entryId)}>
      <Icon name="bell" />
      <span class="strip-text">
        {what}: {safeLine(waiting.title, 500, waiting.kind === 'approval' ? 'exact' : 'prose')}
      </span>
      <Icon name="arrow-up" />
    </button>
  );
}

/** Messages the agent has not read yet, which can still be edited or withdrawn. */
function QueuedMessages() {
  const queued = useChat((state) => state.queued);
  const { run, view } = usePanel();
  if (queued.length === 0) return null;
  const edit = async ({ id }: QueuedMessage) => {
    const message = await run.withdraw(id);
    if (!message) return;
    view.giveBack(message.text, message.items);
    focusComposer();
  };
  const withdraw = async ({ id }: QueuedMessage) => {
    if (await run.withdraw(id)) focusComposer();
  };
  return (
    <section class="queued" aria-label={t('Queued messages')}>
      <ul>
        {queued.map((message) => (
          <li key={message.id} class="strip" title={t('The agent reads this before its next step')}>
            <Icon name="clock" />
            <span class="strip-text" dir="auto">
              {wordsOf(message)}
            </span>
            <IconButton icon="edit" label={t('Edit queued message')} onClick={() => void edit(message)} />
            <IconButton icon="close" label={t('Withdraw queued message')} onClick={() => void withdraw(message)} />
          </li>
        ))}
      </ul>
      <Button kind="quiet" title={t("Interrupts the agent's current step")} onClick={() => run.sendNow()}>
        {t('Send now')}
      </Button>
    </section>
  );
}

function wordsOf({ text, items }: QueuedMessage): string {
  const count = items.length;
  const along = count === 0 ? '' : count === 1 ? t('with 1 item') : t('with {0} items', count);
  return [text, along].filter((part) => part !== '').join(' · ');
}

/** Shows what the run is doing or waiting for. Empty while the agent is idle. */
function RunLine() {
  const run = useChat((state) => state.run);
  const since = useChat((state) => runningTool(state)?.startedAt ?? null);
  const { chat, run: actions } = usePanel();
  const now = useNow(run !== null);
  const silence = now - Math.max(chat.heardAt, run?.retryAt ?? 0);
  const isQuiet = run !== null && (run.state === 'thinking' || run.state === 'answering') && silence > QUIET_MS;
  const waits = run?.state === 'waiting-for-approval' || run?.state === 'waiting-for-answer';
  return (
    <div class="run-line" data-role="run-state">
      {run && <span class={waits ? 'dot' : 'dot pulse'} aria-hidden="true" />}
      {run && (
        <span class="run-words">
          {isQuiet ? t('No response for {0}', durationWords(silence)) : words(run, since, now)}
        </span>
      )}
      {isQuiet && (
        <Button kind="quiet" onClick={() => actions.cancel()}>
          {t('Stop')}
        </Button>
      )}
    </div>
  );
}

function words({ state, activity, retryAt = 0 }: RunStatus, since: number | null, now: number): string {
  if (retryAt > now && state !== 'stopping')
    return t('Trying again in {0}', durationWords(Math.max(1_000, retryAt - now)));
  if (activity === '') return STATES[state]();
  const ms = since === null || state !== 'running-tool' ? 0 : now - since;
  const doing = safeLine(activity, 500, 'exact');
  return ms < 1_000 ? doing : `${doing} (${durationWords(ms)})`;
}
