import type { Frame, Locator } from 'playwright-core';
import type { EditorWindow } from '../editor/editorWindow';
import { pageFrame } from '../editor/pageFrame';
import type { Panel } from '../editor/panel';
import { chooseAgent } from './chooseAgent';

/** A model plans, the user decides, and one of two ends is reached. */
export const FLOW = `name: flow
start: plan
nodes:
  plan: { type: llm, prompt: "Plan {{initial_prompt}}", state_updates: { plan: "{{output}}" }, next: gate }
  gate:
    type: approval
    question: "Do this? {{plan}}"
    options: [Do it, Leave it]
    routes: { Do it: done, Leave it: left }
    on_other: left
  done: { type: end, output: "Built: {{plan}}" }
  left: { type: end, output: "Nothing was done." }
`;

/** Sends a message to a graph agent and shows its run. */
export async function beginGraph(window: EditorWindow, panel: Panel, message: string, agent = 'flow'): Promise<Frame> {
  await panel.open();
  await chooseAgent(panel, agent);
  await panel.send(message);
  await panel.press(`Show the graph ${agent}`);
  return pageFrame(window, `Graph run: ${agent}`);
}

/** The node of a run with this accessible name. */
export const nodeBox = (frame: Frame, name: RegExp): Locator => frame.getByRole('button', { name });
