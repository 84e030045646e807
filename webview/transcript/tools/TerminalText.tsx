import type { TerminalPiece } from './terminalLines';

/** Lines of a terminal in the theme's terminal colours. */
export function TerminalText({ lines }: { lines: readonly (readonly TerminalPiece[])[] }) {
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
