import type { TemplateValues } from '../../base/template';

/** What of the machine a prompt may name; told by the front end. */
export interface MachineFacts {
  /** "linux", "darwin", "win32". */
  platform: string;
  /** "Debian GNU/Linux 12", as far as it is known; asked when a prompt names it. */
  distribution?: () => string | undefined;
  /** "x64", "arm64". */
  architecture?: string;
  /** What runs the commands of agents, in words for a model; asked when a prompt is made. */
  commandShell?: () => string;
  /** Name of the person's shell. */
  shell?: string;
  /** "en-GB"; asked when a prompt names it, since the first look into what a machine knows of languages takes long. */
  locale?: () => string;
}

export interface SpecialFacts extends MachineFacts {
  /** Absolute. */
  workspace: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** In the order in which the model is told of them. */
  tools: readonly { name: string; description: string }[];
}

const OS_NAMES: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' };

/** `{{__os__}}` and its like, for prompts of agents and roles and for skills. */
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

/** RFC 3339 in local time, to the second. */
function localTime(now: number): string {
  const offset = -new Date(now).getTimezoneOffset();
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const local = new Date(now + offset * 60_000).toISOString().slice(0, 19);
  return offset === 0 ? `${local}Z` : `${local}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}
