import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { safeLine } from '../../../src/base/shown/safeText';
import type { ToolEntry } from '../../../src/protocol/chatState';
import { IconButton } from '../../ui/IconButton';
import { useOpen, usePanel } from '../../ui/panelContext';
import { Link } from '../../ui/toolkit';
import { terminalLines, type TerminalPiece } from './terminalLines';

const TAIL_LINES = 8;

/** The last lines a command wrote, or all of them, and the way to the rest. */
export function CommandOutput({ entry, output, command }: { entry: ToolEntry; output: string; command: string }) {
  const [whole, setWhole] = useOpen(`whole:${entry.id}`, false);
  const lines = useMemo(() => terminalLines(output), [output]);
  return (
    <>
      {output !== '' && (
        <div class="output-box">
          <Output
            lines={whole ? lines : tailOf(lines)}
            whole={whole}
            label={`Output of ${safeLine(command, 200, 'exact')}`}
          />
          {lines.length > TAIL_LINES && (
            <IconButton
              icon={whole ? 'fold' : 'unfold'}
              label={whole ? 'Show the last lines' : 'Show all output'}
              expanded={whole}
              onClick={() => setWhole(!whole)}
            />
          )}
        </div>
      )}
      <OutputFile entry={entry} />
    </>
  );
}

function Output({ lines, whole, label }: { lines: TerminalPiece[][]; whole: boolean; label: string }) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [whole]);
  return (
    <pre ref={box} class="tool-output scrolls-aside" dir="ltr" tabIndex={0} role="group" aria-label={label}>
      <TerminalText lines={lines} />
    </pre>
  );
}

/** Without empty lines at the top, which would only push the others down. */
function tailOf(lines: TerminalPiece[][]): TerminalPiece[][] {
  const tail = lines.slice(-TAIL_LINES);
  const first = tail.findIndex((line) => line.some(({ text }) => text.trim() !== ''));
  return tail.slice(Math.max(0, first));
}

function OutputFile({ entry: { detail } }: { entry: ToolEntry }) {
  const { editor } = usePanel();
  const path = detail?.kind === 'command' ? detail.outputPath : null;
  if (path === null) return null;
  return (
    <p class="output-file">
      <Link onClick={() => editor.openFile(path)}>Open the whole output</Link>
    </p>
  );
}

/** Lines of a terminal in the theme's terminal colours. */
function TerminalText({ lines }: { lines: readonly (readonly TerminalPiece[])[] }) {
  return (
    <>
      {lines.map((line, at) => [
        at > 0 ? '\n' : '',
        ...line.map(({ text, look }, piece) =>
          look === '' ? (
            text
          ) : (
            <span key={piece} class={look}>
              {text}
            </span>
          ),
        ),
      ])}
    </>
  );
}
