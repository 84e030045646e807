import type { ComponentChildren } from 'preact';

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Options below each other; the arrows go from one to the next. */
export function OptionList({ children }: { children: ComponentChildren }) {
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const options = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')];
    const at = options.findIndex((option) => option === document.activeElement);
    const next = options[at + step];
    // Past the first and the last the arrows go on to the neighbouring entries.
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div class="options" onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
