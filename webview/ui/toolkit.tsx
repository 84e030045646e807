import { provideVSCodeDesignSystem, vsCodeButton, vsCodeTextField } from '@vscode/webview-ui-toolkit';
import { type ComponentChildren, createElement } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AllowProps } from '../transcript/ask/AlwaysList';

/**
 * Registers the toolkit's elements by name, so that only these are bundled. They read the theme's colors on the page's load
 * event, which may already have fired.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeTextField());
  if (document.readyState === 'complete') window.dispatchEvent(new Event('load'));
}

interface ButtonProps {
  kind: 'primary' | 'secondary' | 'quiet';
  onClick: () => void;
  children: ComponentChildren;
  title?: string;
  /** True for the button that answers its block. */
  main?: boolean;
  disabled?: boolean;
  /** For a button that allows something; replaces the title. */
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
  /** For a box that the user has just opened. */
  focusOnMount?: boolean;
}

export function TextField({ label, value, onInput, onEnter, placeholder, main, focusOnMount }: TextFieldProps) {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Focuses only if opened by a nearby button; a box restored with a reloaded panel takes no focus.
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
  // The text is its accessible name; sighted users see the placeholder.
  return createElement('vscode-text-field', props, label);
}
