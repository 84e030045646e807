import type { ComponentChildren } from 'preact';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { WorkMode } from '../../src/protocol/chatState';
import type { PanelCommand } from '../../src/protocol/commands';
import { approvalModeWords, workModeWords } from '../../src/protocol/modeWords';
import { focusComposer } from '../ui/focus';
import { Icon, RemoveButton } from '../ui/Icon';
import { useChat, usePanel } from '../ui/panelContext';

/** Buttons for the mode, the agent, the model, and the approval mode. */
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

interface ChoiceButtonProps {
  role: string;
  /** The kind of choice and the current value: "Model: GPT-5.2". */
  name: string;
  /** Default: the name. */
  title?: string;
  /** For styling. */
  mode?: string;
  command: PanelCommand;
  children: ComponentChildren;
}

/** Shows the current choice and opens the list of alternatives. */
function ChoiceButton({ role, name, title = name, mode, command, children }: ChoiceButtonProps) {
  const { editor } = usePanel();
  return (
    <button
      type="button"
      class="choice"
      data-role={role}
      data-mode={mode}
      title={title}
      aria-label={name}
      onClick={() => editor.runCommand(command)}
    >
      {children}
    </button>
  );
}

function ModeChoice({ mode }: { mode: WorkMode }) {
  const { label, hint } = workModeWords(mode);
  const name = t('Mode: {0}', label);
  return (
    <ChoiceButton role="mode" mode={mode} name={name} title={`${name}. ${hint}`} command="chooseMode">
      <span class="choice-label">{label}</span>
      <Icon name="chevron-down" />
    </ChoiceButton>
  );
}

function ModelChoice() {
  const { id, label } = useChat((state) => state.model);
  const model = safeLine(label, 100);
  const title = t('Model: {0}', safeLine(id, 200, 'exact'));
  return (
    <ChoiceButton role="model" name={t('Model: {0}', model)} title={title} command="chooseModel">
      <span class="choice-label">{model}</span>
      <Icon name="chevron-down" />
    </ChoiceButton>
  );
}

function ApprovalChoice() {
  const mode = useChat((state) => state.approvalMode);
  const { full, short } = approvalModeWords(mode);
  return (
    <ChoiceButton role="approval-mode" mode={mode} name={t('Approvals: {0}', full)} command="chooseApprovalMode">
      <Icon name={mode === 'nothing' ? 'warning' : 'shield'} class="when-tight" />
      <span class="choice-label when-wide">{full}</span>
      <span class="choice-label when-narrow">{short}</span>
      <Icon name="chevron-down" />
    </ChoiceButton>
  );
}

/** An agent that the user chose can be cleared. */
function AgentChoice() {
  const { setup } = usePanel();
  const { agent: foreign, isChosen } = useChat((state) => state.setup);
  const agent = safeLine(foreign, 100, 'exact');
  const remove = () => {
    void setup.choose('agent', null);
    focusComposer();
  };
  return (
    <span class={isChosen ? 'choice-pair chosen' : 'choice-pair'}>
      <ChoiceButton role="agent" name={t('Agent: {0}', agent)} command="chooseAgent">
        <span class="choice-label">{agent}</span>
        {!isChosen && <Icon name="chevron-down" />}
      </ChoiceButton>
      {isChosen && <RemoveButton label={t('Remove agent {0}', agent)} remove={remove} />}
    </span>
  );
}
