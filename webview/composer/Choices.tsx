import { safeLine } from '../../src/base/shown/safeText';
import { focusComposer } from '../ui/focus';
import { approvalModeWords } from '../ui/words';
import { Icon, RemoveButton } from '../ui/Icon';
import { useChat, usePanel } from '../ui/panelContext';

/** Who answers, by which model, and what is asked before it is done. */
export function Choices() {
  const { editor } = usePanel();
  const { id, label } = useChat((state) => state.model);
  const model = safeLine(label, 100);
  const mode = approvalModeWords(useChat((state) => state.approvalMode));
  return (
    <>
      <AgentChoice />
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
      <button
        type="button"
        class="choice"
        data-role="approval-mode"
        title={`Approvals: ${mode.full}`}
        aria-label={`Approvals: ${mode.full}`}
        onClick={() => editor.runCommand('chooseApprovalMode')}
      >
        <Icon name="shield" class="when-tight" />
        <span class="choice-label when-wide">{mode.full}</span>
        <span class="choice-label when-narrow">{mode.short}</span>
        <Icon name="chevron-down" />
      </button>
      <span class="spring" />
    </>
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
