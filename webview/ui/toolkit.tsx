import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeLink,
  vsCodeProgressRing,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { type ComponentChildren, createElement } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AllowProps } from '../transcript/ask/AlwaysList';

/**
 * The toolkit's elements, registered by name, so that only these are in the bundle. They take the theme's colours when the page is
 * loaded, and this code may come after that.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeLink(), vsCodeProgressRing(), vsCodeTextField());
  if (document.readyState === 'complete') window.dispatchEvent(new Event('load'));
}

interface ButtonProps {
  kind: 'primary' | 'secondary' | 'quiet';
  onClick: () => void;
  children: ComponentChildren;
  title?: string;
  /** True for the one that answers the block it stands in. */
  main?: boolean;
  disabled?: boolean;
  /** Of one that allows something; instead of the title. */
  allow?: AllowProps;
}

export function Button({ kind, onClick, children, title, main, disabled, allow }: ButtonProps) {
  const props = { appearance: kind === 'primary' ? 'primary' : 'secondary', class: kind === 'quiet' ? 'quiet' : '' };
  return createElement(
    'vscode-button',
    { ...props, onClick, title, disabled, ...(main ? { 'data-primary': '' } : {}), ...allow },
    children,
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  onInput: (text: string) => void;
  onEnter: () => void;
  placeholder?: string;
  main?: boolean;
  /** For a box that the person has just asked for. */
  focusOnMount?: boolean;
}

export function TextField({ label, value, onInput, onEnter, placeholder, main, focusOnMount }: TextFieldProps) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    // Asked for by a button beside it; one that comes back with a reloaded panel takes no focus.
    const isAsked = element.current?.closest('.ask')?.contains(document.activeElement) === true;
    if (focusOnMount && isAsked) element.current?.focus();
  }, [focusOnMount]);
  const props = {
    ref: element,
    placeholder,
    value,
    ...(main ? { 'data-primary': '' } : {}),
    onInput: ({ currentTarget }: Event) => {
      if (currentTarget instanceof HTMLElement && 'value' in currentTarget) onInput(String(currentTarget.value));
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      onEnter();
    },
  };
  // Its text is its name for a screen reader; to the eye the placeholder says it.
  return createElement('vscode-text-field', props, label);
}

/** Decoration: what it stands for is said in words beside it. */
export function ProgressRing() {
  return createElement('vscode-progress-ring', { class: 'ring', 'aria-hidden': 'true' });
}

export function Link({ onClick, children }: { onClick: () => void; children: ComponentChildren }) {
  const follow = (event: Event) => {
    event.preventDefault();
    onClick();
  };
  return createElement('vscode-link', { href: '#', onClick: follow }, children);
}
