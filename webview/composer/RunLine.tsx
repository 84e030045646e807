import { safeLine } from '../../src/base/shown/safeText';
import type { RunStatus } from '../../src/protocol/chatState';
import { runningTool } from '../store/selectors';
import { durationWords } from '../ui/words';
import { useChat, useNow, usePanel } from '../ui/panelContext';
import { Button } from '../ui/toolkit';

/** Silence longer than this is said. */
const QUIET_MS = 10_000;

const STATES: Record<RunStatus['state'], string> = {
  thinking: 'Thinking…',
  answering: 'Answering…',
  'running-tool': 'Working…',
  'waiting-for-approval': 'Waiting for your approval',
  'waiting-for-answer': 'Waiting for your answer',
  stopping: 'Stopping…',
};

/** Says what is waited for. Empty while the agent is idle. */
export function RunLine() {
  const run = useChat((state) => state.run);
  const since = useChat((state) => runningTool(state)?.startedAt ?? null);
  const { chat, run: actions } = usePanel();
  const now = useNow(run !== null);
  const silence = now - chat.heardAt;
  const isQuiet = run !== null && (run.state === 'thinking' || run.state === 'answering') && silence > QUIET_MS;
  const waits = run?.state === 'waiting-for-approval' || run?.state === 'waiting-for-answer';
  return (
    <div class="run-line" data-role="run-state">
      {run && <span class={waits ? 'dot' : 'dot pulse'} aria-hidden="true" />}
      {run && (
        <span class="run-words">
          {isQuiet ? `Nothing from the model for ${durationWords(silence)}` : words(run, since, now)}
        </span>
      )}
      {isQuiet && (
        <Button kind="quiet" onClick={() => actions.cancel()}>
          Stop
        </Button>
      )}
    </div>
  );
}

function words({ state, activity }: RunStatus, since: number | null, now: number): string {
  if (activity === '') return STATES[state];
  const ms = since === null || state !== 'running-tool' ? 0 : now - since;
  const doing = safeLine(activity, 500, 'exact');
  return ms < 1_000 ? doing : `${doing} (${durationWords(ms)})`;
}
