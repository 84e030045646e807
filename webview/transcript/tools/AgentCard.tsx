import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AgentEntry, PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { costWords } from '../../../src/protocol/costWords';
import { agentStatusWords } from '../entryArticle';
import { StreamView } from '../streamView';
import { durationWords, tokenWords } from '../../ui/words';
import { QuestionCard } from '../ask/QuestionCard';
import { Fold } from '../../ui/Fold';
import { IconButton } from '../../ui/Icon';
import { useChat, useNow, useOpen, usePanel } from '../../ui/panelContext';
import { AskCard } from './AskCard';
import { CommandCard } from './CommandCard';
import { EditCard } from './EditCard';

/** A started agent: its activity, its requests, and finally its answer. */
export function AgentCard({ entry }: { entry: AgentEntry }) {
  const approvals = useChat((state) => state.approvals).filter(({ entryId }) => entryId === entry.id);
  const questions = useChat((state) => state.questions).filter(({ entryId }) => entryId === entry.id);
  const isRunning = entry.status === 'running';
  const now = useNow(isRunning);
  const agent = safeLine(entry.agent, 100);
  const [open, setOpen] = useOpen(entry.id, false);
  return (
    <div class={isRunning || open ? 'card agent' : 'card agent folded'}>
      <div class="card-head">
        <Fold open={open} onToggle={setOpen} lead={leadOf(entry, open)}>
          <span class="card-title" title={entry.task}>
            <strong>{agent}</strong> {safeLine(firstLine(entry.task))}
          </span>
          {!isRunning && entry.status !== 'completed' && (
            <span class="fold-note">{agentStatusWords(entry.status)}</span>
          )}
        </Fold>
        <AgentButtons entry={entry} agent={agent} />
        <span class="side-note">{durationWords(entry.durationMs ?? Math.max(0, now - entry.startedAt))}</span>
      </div>
      {isRunning && (
        <p class="agent-now">
          {waitsFor(approvals.length, questions.length) ?? [nowWords(entry), ...factsOf(entry)].join(' · ')}
        </p>
      )}
      {open && <AgentBody entry={entry} />}
      {approvals.map((approval) => (
        <Asked key={approval.approvalId} approval={approval} />
      ))}
      {questions.map((question) => (
        <QuestionCard key={question.questionId} question={question} />
      ))}
    </div>
  );
}

function AgentButtons({ entry: { sessionId, status }, agent }: { entry: AgentEntry; agent: string }) {
  const { sessions, run } = usePanel();
  return (
    <>
      <IconButton
        icon="go-to-file"
        label={t('Open the transcript of {0}', agent)}
        title={t('Open transcript')}
        quiet
        onClick={() => sessions.openInEditor(sessionId)}
      />
      {status === 'running' && (
        <IconButton
          icon="stop"
          label={t('Stop {0}', agent)}
          title={t('Stop this agent; the others keep running')}
          onClick={() => run.cancel(sessionId)}
        />
      )}
    </>
  );
}

function AgentBody({ entry }: { entry: AgentEntry }) {
  const facts = factsOf(entry);
  return (
    <div class="agent-body">
      <p class="agent-task" dir="auto">
        {entry.task}
      </p>
      {entry.answer !== null && entry.answer !== '' && <Answer text={entry.answer} />}
      {entry.status !== 'running' && facts.length > 0 && <p class="agent-facts">{facts.join(' · ')}</p>}
    </div>
  );
}

function Answer({ text }: { text: string }) {
  const { highlighter } = usePanel();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return;
    current.replaceChildren();
    const view = new StreamView(current, highlighter);
    view.feed(text);
    view.finish();
    return () => view.dispose();
  }, [text, highlighter]);
  return <div ref={place} class="markdown" dir="auto" />;
}

/** The pending call as a separate card; it has no entry in this chat. */
function Asked({ approval }: { approval: PendingApproval }) {
  const { approvalId, tool, category, title, diff, command } = approval;
  const entry: ToolEntry = {
    kind: 'tool',
    id: approvalId,
    tool,
    category,
    title,
    status: 'waiting',
    startedAt: null,
    durationMs: null,
    output: '',
    detail: null,
  };
  if (diff) return <EditCard entry={entry} diff={diff} approval={approval} />;
  if (command !== null) return <CommandCard entry={entry} command={command} approval={approval} settled={false} />;
  return <AskCard entry={entry} approval={approval} />;
}

function waitsFor(approvals: number, questions: number): string | null {
  if (approvals > 0) return t('Waiting for your approval');
  return questions > 0 ? t('Waiting for your answer') : null;
}

function nowWords({ activity }: AgentEntry): string {
  return activity === '' ? t('Running') : safeLine(activity, 500, 'exact');
}

/** Returns its usage. A cost below one cent is not worth showing while it runs. */
function factsOf({ tokens, costUsd, status }: AgentEntry): string[] {
  const isCostTold = costUsd >= 0.01 || (costUsd > 0 && status !== 'running');
  return [...(tokens > 0 ? [tokenWords(tokens)] : []), ...(isCostTold ? [costWords(costUsd)] : [])];
}

function leadOf({ status }: AgentEntry, open: boolean) {
  if (status === 'running') return 'busy' as const;
  if (status === 'completed') return open ? ('arrow' as const) : { icon: 'check' };
  return { icon: status === 'failed' ? 'error' : 'circle-slash' };
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
