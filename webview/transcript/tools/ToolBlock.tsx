import type { ComponentChildren } from 'preact';
import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { PendingApproval, ToolDetail, ToolEntry } from '../../../src/protocol/chatState';
import { editsWith } from '../../store/selectors';
import { Fold } from '../../ui/Fold';
import { Icon } from '../../ui/Icon';
import { PathText } from '../../ui/PathText';
import { useChat, useOpen } from '../../ui/panelContext';
import { durationWords } from '../../ui/words';
import { QuestionCard } from '../ask/QuestionCard';
import { statusWords } from '../entryArticle';
import type { EntryProps, ToolGroup } from '../toolGroups';
import { AskCard } from './AskCard';
import { CommandCard } from './CommandCard';
import { EditCard } from './EditCard';
import { EditsCard } from './EditsCard';
import { withoutAdvice } from './withoutAdvice';

/** Chooses the display of a tool: a line if it only reads, a card if the user can act or something runs. */
export function ToolBlock(props: EntryProps & { entry: ToolEntry }) {
  const { entry, approval, question, leads, grouped, settled } = props;
  const together = useChat((state) => editsWith(state, entry.id));
  if (together) return together[0] === entry.id ? <EditsCard together={together} /> : null;
  if (question) return <QuestionCard question={question} />;
  const diff = approval?.diff ?? (entry.detail?.kind === 'change' ? entry.detail.diff : null);
  if (diff) return <EditCard entry={entry} diff={diff} approval={approval} />;
  const command = commandOf(entry, approval);
  if (command !== null) return <CommandCard entry={entry} command={command} approval={approval} settled={settled} />;
  if (approval) return <AskCard entry={entry} approval={approval} />;
  if (entry.category === 'user' && entry.status === 'ok') return <AnsweredLine entry={entry} />;
  if (!leads) return <ToolLine entry={entry} grouped={grouped} />;
  return (
    <GroupLine group={leads}>
      <ToolLine entry={entry} grouped />
    </GroupLine>
  );
}

function commandOf(entry: ToolEntry, approval: PendingApproval | null): string | null {
  if (entry.detail?.kind === 'command') return entry.detail.command;
  if (approval?.command) return approval.command;
  // Before it runs, only the title is known: "Run npm test".
  return entry.category === 'execute' ? entry.title.replace(/^Run(?:ning)? /, '') : null;
}

/** The line of a group. Its first tool is shown below it; the others are entries of their own. */
function GroupLine({ group, children }: { group: ToolGroup; children: ComponentChildren }) {
  const [open, setOpen] = useOpen(`group:${group.id}`, false);
  return (
    <>
      <Fold open={open} onToggle={setOpen} lead="arrow">
        <span class="fold-title">{group.summary}</span>
      </Fold>
      {open && <div class="group-first">{children}</div>}
    </>
  );
}

/** A question with the answer that was given. */
function AnsweredLine({ entry }: { entry: ToolEntry }) {
  const { detail, output, title } = entry;
  const answer = detail?.kind === 'text' ? detail.text : output;
  return (
    <div class="answered">
      <span class="lead">
        <Icon name="question" />
      </span>
      <div class="answered-text">
        <p dir="auto">{title.replace(/^(?:Ask|Confirm|Choose): /, '')}</p>
        <p class="answer" dir="auto">
          {answer.replace(/^The (?:user|person) answered: /, '')}
        </p>
      </div>
    </div>
  );
}

/** A line that expands to the tool's result. */
function ToolLine({ entry, grouped }: { entry: ToolEntry; grouped: boolean }) {
  const [open, setOpen] = useOpen(entry.id, entry.status === 'error');
  const hasBody = entry.output !== '' || entry.detail !== null;
  const title = safeLine(entry.title, 1000, 'exact');
  return (
    <div class={grouped ? 'tool-line grouped-line' : 'tool-line'}>
      <Fold open={open && hasBody} onToggle={hasBody ? setOpen : undefined} lead={leadOf(entry)}>
        <span class="fold-title" title={title}>
          <PathText
            title={title}
            path={entry.detail?.kind === 'file' ? safeLine(entry.detail.path, 1000, 'exact') : ''}
          />
        </span>
        {(entry.status === 'rejected' || entry.status === 'cancelled') && (
          <span class="fold-note">{statusWords(entry.status)}</span>
        )}
        {entry.durationMs !== null && entry.durationMs >= 100 && (
          <span class="side-note">{durationWords(entry.durationMs)}</span>
        )}
      </Fold>
      {open && hasBody && <ToolBody entry={entry} />}
    </div>
  );
}

function ToolBody({ entry }: { entry: ToolEntry }) {
  const { detail, output, title, status } = entry;
  return (
    <div class="fold-body">
      {detail?.kind === 'file' && <FileHead detail={detail} />}
      <pre
        class={status === 'error' ? 'tool-output wraps' : 'tool-output scrolls-aside'}
        dir="ltr"
        tabIndex={0}
        role="group"
        aria-label={t('Result of {0}', safeLine(title))}
      >
        {detail && 'text' in detail ? withoutAdvice(entry, detail.text) : output}
      </pre>
    </div>
  );
}

function FileHead({ detail }: { detail: Extract<ToolDetail, { kind: 'file' }> }) {
  return (
    <p class="file-head">
      <a href="#" data-path={detail.path} data-line={detail.firstLine}>
        {safeLine(detail.path, 1000, 'exact')}:{detail.firstLine}
      </a>
    </p>
  );
}

function leadOf({ status }: ToolEntry): 'arrow' | 'busy' | { icon: string } {
  if (status === 'running' || status === 'preparing') return 'busy';
  if (status === 'error') return { icon: 'error' };
  if (status === 'rejected' || status === 'cancelled') return { icon: 'circle-slash' };
  return 'arrow';
}
