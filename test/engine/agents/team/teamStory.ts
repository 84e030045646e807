import type { ModelRequest } from '../../../support/modelServer/modelRequest';
import type { Step, StoryStep, WhenStep } from '../../../support/modelServer/story';

/** Returns a workspace agent file with this name, whose prompt begins with `You are NAME.` */
export function agentFile(name: string, fields = 'description: Helps'): Record<string, string> {
  return { [`.cairn/agents/${name}.md`]: `---\n${fields}\n---\nYou are ${name}.` };
}

/** `lead`, who may start agents, and `worker`, who helps. */
export const LEAD_AND_WORKER = {
  ...agentFile('lead', 'description: Leads\nmode: primary\ncan_spawn_agents: true'),
  ...agentFile('worker'),
};

/** Answers every request of that agent with this step. */
export function says(agent: string, step: StoryStep): WhenStep {
  return { when: (request) => isOf(request, agent), step };
}

/** Makes the calls on the first request and gives the final answer on later ones. */
export function callsThenSays(agent: string, first: Step, then: string | StoryStep): WhenStep {
  const last: StoryStep = typeof then === 'string' ? { say: then } : then;
  return says(agent, (request) => {
    if (!request.messages.some(({ role }) => role === 'tool')) return first;
    return typeof last === 'function' ? last(request) : last;
  });
}

export function isOf({ messages }: ModelRequest, agent: string): boolean {
  return new RegExp(`^You are ${agent}[.,]`).test(messages[0]?.text ?? '');
}

export function call(name: string, input: object = {}): Step {
  return { call: [{ name, arguments: { ...input } }] };
}

export function calls(...all: readonly (readonly [string, object])[]): Step {
  return { call: all.map(([name, input]) => ({ name, arguments: { ...input } })) };
}

export const spawn = (agent: string, prompt: string) => ['agent__spawn', { agent, prompt }] as const;

/** Returns the ids of the agents started so far, in order, as they appear in the tool results. */
export function idsIn({ messages }: ModelRequest): string[] {
  const all = messages.flatMap(({ results }) =>
    results.flatMap(({ text }) => text.match(/agent_[\w-]+_[0-9a-f]{8}/g) ?? []),
  );
  return [...new Set(all)];
}

/** Collects every agent that was started. */
export const collectAll: StoryStep = (request) =>
  calls(...idsIn(request).map((id) => ['agent__collect', { id }] as const));

/** `lead` starts these agents, collects until all have completed, and gives the final answer. */
export function leadsUntilDone(first: Step, last: string): WhenStep {
  return says('lead', (request) => {
    if (resultsIn(request).length === 0) return first;
    const done = new Set(
      request.messages.flatMap(({ results }) =>
        results.flatMap(({ text }) => /"status": "completed",\s+"id": "([\w-]+)"/.exec(text)?.[1] ?? []),
      ),
    );
    const left = idsIn(request).filter((id) => !done.has(id));
    return left.length > 0 ? calls(...left.map((id) => ['agent__collect', { id }] as const)) : { say: last };
  });
}

/** Returns the latest tool results. */
export function resultsIn({ messages }: ModelRequest): string[] {
  const after = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return after.flatMap(({ results }) => results.map(({ text }) => text));
}
