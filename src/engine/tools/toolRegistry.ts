import type { AnyTool, ToolRole } from './tool';

/** The tools at hand in a run, by name. */
export class ToolRegistry {
  private readonly byName: ReadonlyMap<string, AnyTool>;
  private readonly byOwnName: ReadonlyMap<string, AnyTool>;

  /** `isHidden`: models are not told of it, but it is found. Throws when two tools have one name. */
  constructor(
    tools: readonly AnyTool[],
    private readonly isHidden: (tool: AnyTool) => boolean = () => false,
  ) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.byOwnName = new Map(tools.flatMap((tool) => (tool.ownName === undefined ? [] : [[tool.ownName, tool]])));
    if (this.byName.size !== tools.length) throw new Error('Two tools have the same name.');
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  get all(): readonly AnyTool[] {
    return [...this.byName.values()];
  }

  /** Those that models are told of. */
  get offered(): readonly AnyTool[] {
    return this.all.filter((tool) => !this.isHidden(tool));
  }

  /** Also by our name of one that is offered under another, which our words to the model may use. */
  get(name: string): AnyTool | undefined {
    return this.byName.get(name) ?? this.byOwnName.get(name);
  }

  /** Whether models are told of a tool of this name, or of ours for it. */
  offers(name: string): boolean {
    const tool = this.get(name);
    return tool !== undefined && !this.isHidden(tool);
  }

  /** Whether models are told of a tool that does this. */
  does(role: ToolRole): boolean {
    return this.offered.some(({ traits }) => traits?.roles?.includes(role));
  }

  /** The same, but models are not told of some tools, which may not be used now. */
  hiding(isHidden: (tool: AnyTool) => boolean): ToolRegistry {
    return this.all.some(isHidden) ? new ToolRegistry(this.all, isHidden) : this;
  }

  /** The same without some tools; itself when none of them is left out. */
  without(isLeftOut: (tool: AnyTool) => boolean): ToolRegistry {
    const kept = this.all.filter((tool) => !isLeftOut(tool));
    return kept.length === this.all.length ? this : new ToolRegistry(kept);
  }
}
