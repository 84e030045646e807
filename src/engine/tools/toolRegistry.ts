import * as z from 'zod';
import type { ToolSpec } from '../llm/llmRequest';
import type { AnyTool } from './tool';

/** The tools at hand in a run, by name. */
export class ToolRegistry {
  private readonly byName: ReadonlyMap<string, AnyTool>;
  private told: readonly ToolSpec[] | undefined;

  /** Throws when two tools have one name. */
  constructor(tools: readonly AnyTool[]) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.byName.size !== tools.length) throw new Error('Two tools have the same name.');
  }

  /** As models are told of them; made with the first question, because that takes a while. */
  get specs(): readonly ToolSpec[] {
    return (this.told ??= this.all.map(specOf));
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  get all(): readonly AnyTool[] {
    return [...this.byName.values()];
  }

  get(name: string): AnyTool | undefined {
    return this.byName.get(name);
  }

  /** The same without some tools; itself when none of them is left out. */
  without(isLeftOut: (tool: AnyTool) => boolean): ToolRegistry {
    const kept = this.all.filter((tool) => !isLeftOut(tool));
    return kept.length === this.all.length ? this : new ToolRegistry(kept);
  }
}

function specOf({ name, description, input }: AnyTool): ToolSpec {
  const schema = Object.entries(z.toJSONSchema(input, { io: 'input' }));
  // Every vendor knows which dialect it reads; saying it would only cost tokens.
  return { name, description, parameters: Object.fromEntries(schema.filter(([key]) => key !== '$schema')) };
}
