import type { WorkMode } from '../../src/protocol/chatState';
import { safeLine } from '../../src/base/shown/safeText';
import { focusComposer } from '../ui/focus';
import { approvalModeWords, workModeWords } from '../ui/words';
import { Icon, RemoveButton } from '../ui/Icon';
import { useChat, usePanel } from '../ui/panelContext';

const MODE_HINTS: Record<WorkMode, string> = {
  ask: 'Reads and answers; changes and runs nothing',
  plan: 'Reads and writes a plan; changes and runs nothing',
  agent: 'Edits files and runs commands',
};

/** What the agent may do, who answers, by which model, and what is asked before it is done. */
export function Choices() {
  const { mode } = useChat((state) => state.setup);
  return (
    <>
      <ModeChoice mode={mode} />
      <AgentChoice />
      <ModelChoice />
      {mode === 'agent' && <ApprovalChoice />}
      <span class="spring" />
    </>
  );
}

function ModeChoice({ mode }: { mode: WorkMode }) {
  const { editor } = usePanel();
  const words = workModeWords(mode);
  return (
    <button
      type="button"
      class="choice"
      data-role="mode"
      data-mode={mode}
      title={`Mode: ${words}. ${MODE_HINTS[mode]}`}
      aria-label={`Mode: ${words}`}
      onClick={() => editor.runCommand('chooseMode')}
    >
      <span class="choice-label">{words}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

function ModelChoice() {
  const { editor } = usePanel();
  const { id, label } = useChat((state) => state.model);
  const model = safeLine(label, 100);
  return (
    <button
      type="button"
      class="choice"
      data-role="model"
      title={`Model: ${safeLine(id, 200, 'exact')}`}
      aria-label={`Model: ${model}`}
      onClick={() => editor.runCommand('chooseModel')}
    >
      <span class="choice-label">{model}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

function ApprovalChoice() {
  const { editor } = usePanel();
  const mode = useChat((state) => state.approvalMode);
  const words = approvalModeWords(mode);
  return (
    <button
      type="button"
      class="choice"
      data-role="approval-mode"
      data-mode={mode}
      title={`Approvals: ${words.full}`}
      aria-label={`Approvals: ${words.full}`}
      onClick={() => editor.runCommand('chooseApprovalMode')}
    >
      <Icon name={mode === 'nothing' ? 'warning' : 'shield'} class="when-tight" />
      <span class="choice-label when-wide">{words.full}</span>
      <span class="choice-label when-narrow">{words.short}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

/** One that the person chose can be taken back. */
function AgentChoice() {
  const { editor, setup } = usePanel();
  const { agent: foreign, isChosen } = useChat((state) => state.setup);
  const agent = safeLine(foreign, 100, 'exact');
  const remove = () => {
    void setup.choose('agent', null);
    focusComposer();
  };
  return (
    <span class={isChosen ? 'choice-pair chosen' : 'choice-pair'}>
      <button
        type="button"
        class="choice"
        data-role="agent"
        title={`Agent: ${agent}`}
        aria-label={`Agent: ${agent}`}
        onClick={() => editor.runCommand('chooseAgent')}
      >
        <span class="choice-label">{agent}</span>
        {!isChosen && <Icon name="chevron-down" />}
      </button>
      {isChosen && <RemoveButton label={`Remove agent ${agent}`} remove={remove} />}
    </span>
  );
}
