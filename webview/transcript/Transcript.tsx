import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/Icon';
import { useChat, usePanel } from '../ui/panelContext';
import { Button } from '../ui/toolkit';
import type { TranscriptList } from './transcriptList';

/** Puts the list, which draws itself, into the panel. */
export function Transcript({ list, hidden }: { list: TranscriptList; hidden: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(list.scroll.atEnd);
  useLayoutEffect(() => {
    place.current?.prepend(list.element);
    list.scroll.restore();
    const listening = list.scroll.onAtEnd(setAtEnd);
    return () => listening.dispose();
  }, [list]);
  return (
    <div class="transcript-place" ref={place} hidden={hidden}>
      {!atEnd && (
        <button type="button" class="to-end" title="Scroll to bottom" onClick={() => list.scroll.toEnd()}>
          <Icon name="arrow-down" />
          <span>Scroll to bottom</span>
        </button>
      )}
    </div>
  );
}

/** What is shown before the first message. */
export function EmptyState() {
  const welcome = useChat((state) => state.welcome);
  const model = useChat((state) => state.model);
  const { agent, isChosen, starters } = useChat((state) => state.setup);
  const { editor, run } = usePanel();
  return (
    <section class="empty" aria-label="Start">
      <h2>{welcome.workspaceName ?? 'No folder is open'}</h2>
      <FoundList found={welcome.found} model={model.label} agent={isChosen ? agent : null} />
      <ul class="starters">
        {(starters.length > 0 ? starters : welcome.starters).map((starter) => (
          <li key={starter}>
            <button type="button" class="starter" onClick={() => void run.send(starter)}>
              <span>{starter}</span>
              <Icon name="arrow-right" />
            </button>
          </li>
        ))}
      </ul>
      {model.scripted && (
        <div class="tour">
          <p>This is a scripted demo. It needs no API key, and its answers are prepared in advance.</p>
          <Button kind="quiet" onClick={() => editor.runCommand('chooseModel')}>
            Choose a model
          </Button>
        </div>
      )}
      <p class="keys">
        <kbd>Enter</kbd> to send, <kbd>Shift+Enter</kbd> for a new line, <kbd>Esc</kbd> to focus the input
      </p>
    </section>
  );
}

/** What there is to work with: the project, its instructions to agents, the model. */
function FoundList({ found, model, agent }: { found: readonly string[]; model: string; agent: string | null }) {
  const instructions = found.filter((one) => one.endsWith('.md'));
  const project = found.filter((one) => !one.endsWith('.md'));
  return (
    <ul class="found">
      {project.length > 0 && <li>{project.join(' · ')}</li>}
      {instructions.length > 0 && <li>Instructions: {instructions.join(', ')}</li>}
      {agent !== null && <li>Agent: {agent}</li>}
      <li>Model: {model}</li>
    </ul>
  );
}
