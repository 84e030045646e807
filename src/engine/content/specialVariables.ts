import type { TemplateValues } from '../../base/template';

/** Facts about the machine that a prompt may name; provided by the front end. */
export interface MachineFacts {
  /** "linux", "darwin", "win32". */
  platform: string;
  /** "Debian GNU/Linux 12", if known; called when a prompt names it. */
  distribution?: () => string | undefined;
  /** "x64", "arm64". */
  architecture?: string;
  /** Describes for a model what runs an agent's commands; called when a prompt is built. */
  commandShell?: () => string;
  /** Name of the user's shell. */
  shell?: string;
  /** "en-GB"; called when a prompt names it, since the first access to the machine's locale data is slow. */
  locale?: () => string;
}

interface SpecialFacts extends MachineFacts {
  /** Absolute path. */
  workspace: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** In the order in which the model gets them. */
  tools: readonly { name: string; description: string }[];
}

const OS_NAMES: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' };

/** Returns the values of `{{__os__}}` and the like, for prompts of agents and roles and for skills. */
export function specialVariables(facts: SpecialFacts): TemplateValues {
  return { get: (name) => VARIABLES.get(name)?.(facts) };
}

const osName = ({ platform }: SpecialFacts) => OS_NAMES[platform] ?? platform;

const VARIABLES: ReadonlyMap<string, (facts: SpecialFacts) => string> = new Map([
  ['__os__', osName],
  ['__os_distro__', (facts: SpecialFacts) => facts.distribution?.() ?? osName(facts)],
  ['__os_family__', ({ platform }: SpecialFacts) => (platform === 'win32' ? 'windows' : 'unix')],
  ['__arch__', ({ architecture = 'unknown' }: SpecialFacts) => architecture],
  ['__shell__', ({ shell, platform }: SpecialFacts) => shell ?? (platform === 'win32' ? 'cmd' : 'sh')],
  ['__locale__', ({ locale }: SpecialFacts) => locale?.() ?? 'en-US'],
  ['__now__', ({ now }: SpecialFacts) => localTime(now)],
  ['__cwd__', ({ workspace }: SpecialFacts) => workspace],
  ['__tools__', ({ tools }: SpecialFacts) => tools.map(toolLine).join('\n')],
]);

function toolLine({ name, description }: { name: string; description: string }, index: number): string {
  return `${index + 1}. ${name}: ${description.split('\n', 1)[0] ?? ''}`;
}

/** Formats a time as RFC 3339 in local time, with seconds. */
function localTime(now: number): string {
  const offset = -new Date(now).getTimezoneOffset();
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const local = new Date(now + offset * 60_000).toISOString().slice(0, 19);
  return offset === 0 ? `${local}Z` : `${local}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}
