import { assertNever } from '../../../src/base/errors';
import { t } from '../../../src/base/l10n';
import type { ChatState, NoticeAction, NoticeEntry, ThinkingEntry, UserEntry } from '../../../src/protocol/chatState';
import { dateWords } from '../../ui/dateWords';
import { Fold } from '../../ui/Fold';
import { Icon, IconButton } from '../../ui/Icon';
import { useChat, useOpen, usePanel } from '../../ui/panelContext';
import { SentItems } from '../../ui/SentItems';
import { Button } from '../../ui/toolkit';
import { thinkingWords } from '../entryArticle';
import type { EntryProps } from '../toolGroups';
import { AgentCard } from '../tools/AgentCard';
import { GraphCard } from '../tools/GraphCard';
import { ToolBlock } from '../tools/ToolBlock';
import { MessageEditor } from './MessageEditor';
import { TurnSummary } from './TurnSummary';

/** The contents of an entry's article. Text entries render themselves. */
export function EntryBody(props: EntryProps) {
  const { entry } = props;
  switch (entry.kind) {
    case 'user':
      return <UserMessage entry={entry} />;
    case 'thinking':
      return <ThinkingLine entry={entry} />;
    case 'tool':
      return <ToolBlock {...props} entry={entry} />;
    case 'agent':
      return <AgentCard entry={entry} />;
    case 'graph':
      return <GraphCard entry={entry} />;
    case 'notice':
      return <NoticeBlock entry={entry} />;
    case 'turn':
      return <TurnSummary entry={entry} />;
    case 'text':
      return null;
    default:
      return assertNever(entry);
  }
}

function ThinkingLine({ entry }: { entry: ThinkingEntry }) {
  const [open, setOpen] = useOpen(entry.id, false);
  return (
    <>
      <Fold open={open} onToggle={entry.text === '' ? undefined : setOpen} lead="arrow">
        <span class={entry.streaming ? 'fold-title pulse' : 'fold-title'}>
          {thinkingWords(entry.streaming, entry.durationMs)}
        </span>
      </Fold>
      {open && (
        <div class="fold-body thinking-text" dir="auto">
          {entry.text}
        </div>
      )}
    </>
  );
}

/** A user message. It can be edited, which continues the session from there in a branch. */
function UserMessage({ entry }: { entry: UserEntry }) {
  const { view } = usePanel();
  const [editing, setEditing] = useOpen(`edit:${entry.id}`, false);
  const isRunning = useChat((state) => state.run !== null);
  const edit = () => {
    if (view.draft(`edit:${entry.id}`) === '') view.setDraft(`edit:${entry.id}`, entry.text);
    setEditing(true);
  };
  if (editing) return <MessageEditor entry={entry} close={() => setEditing(false)} />;
  return (
    <div class="user" title={dateWords(entry.time, { dateStyle: 'medium', timeStyle: 'short' })}>
      <h2 class="visually-hidden">{t('You')}</h2>
      {entry.steering && <p class="caption">{t('Sent while the agent was working')}</p>}
      {entry.text !== '' && (
        <div class="user-text" dir="auto">
          {entry.text}
        </div>
      )}
      <SentItems items={entry.items} />
      {!entry.steering && !isRunning && (
        <div class="user-actions">
          <IconButton icon="edit" label={t('Edit message')} title={t('Edit and continue from here')} onClick={edit} />
        </div>
      )}
    </div>
  );
}

const LEVELS = {
  quiet: { icon: 'info', words: () => t('Note') },
  info: { icon: 'info', words: () => t('Note') },
  warning: { icon: 'warning', words: () => t('Warning') },
  error: { icon: 'error', words: () => t('Error') },
} as const;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

function NoticeBlock({ entry: { id, level, text, action, detail } }: { entry: NoticeEntry }) {
  const [open, setOpen] = useOpen(id, false);
  const canRetry = useChat((state) => action !== null && 'command' in action && endedWith(state, id));
  const canAct = useChat((state) => action !== null && ('command' in action || isLatest(state, id)));
  const { run, editor } = usePanel();
  const act = (chosen: NoticeAction) => ('command' in chosen ? editor.runCommand(chosen.command) : run.resume());
  return (
    <div class={`notice ${level}`}>
      <Icon name={LEVELS[level].icon} />
      <div class="notice-text">
        <span class="visually-hidden">{LEVELS[level].words()}: </span>
        <NoticeText text={text} />
        {canAct && action && (
          <Button kind="secondary" onClick={() => act(action)}>
            {action.label}
          </Button>
        )}
        {canRetry && (
          <Button kind="secondary" onClick={() => run.resume()}>
            {t('Try again')}
          </Button>
        )}
        {detail && (
          <Fold open={open} onToggle={setOpen} lead="arrow">
            <span class="fold-title">{detail.title}</span>
          </Fold>
        )}
        {detail && open && (
          <div class="thinking-text" dir="auto">
            {detail.text}
          </div>
        )}
      </div>
    </div>
  );
}

/** Returns true if this notice explains why the last turn failed, so that the turn can be retried. */
function endedWith({ entries, run }: ChatState, id: string): boolean {
  const last = entries.at(-1);
  return run === null && last?.kind === 'turn' && last.outcome === 'failed' && entries.at(-2)?.id === id;
}

/** Returns true if nothing was said or done since this notice, so that the run can continue where it was. */
function isLatest({ entries, run }: ChatState, id: string): boolean {
  const last = entries.findLast((one) => one.id === id || (one.kind !== 'turn' && one.kind !== 'notice'));
  return run === null && last?.id === id;
}

/** What happened, why, and what to do, if the text has that many sentences. */
function NoticeText({ text }: { text: string }) {
  const [what = '', why, ...rest] = [...sentences.segment(text.trim())].map(({ segment }) => segment.trim());
  if (why === undefined) return <p dir="auto">{text}</p>;
  return (
    <>
      <p dir="auto">
        <strong>{what}</strong>
      </p>
      <p dir="auto">{why}</p>
      {rest.length > 0 && <p dir="auto">{rest.join(' ')}</p>}
    </>
  );
}
