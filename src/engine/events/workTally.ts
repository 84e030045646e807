import type { ToolResult } from '../messages/toolResult';
import type { AgentWork } from './agentEvent';

/** Counts what calls of tools did, for those who are told in one line. */
export class WorkTally {
  private commands = 0;
  private readonly files = new Map<string, { added: number; removed: number }>();

  get done(): AgentWork {
    return { commands: this.commands, files: [...this.files].map(([path, lines]) => ({ path, ...lines })) };
  }

  /** `ranCommand`: whether the call was one of a tool that runs commands. Calls that came to nothing do not count. */
  count({ status, detail }: ToolResult, ranCommand = detail?.kind === 'command'): void {
    if (status !== 'ok') return;
    const files = detail?.kind === 'change' ? [detail.diff] : [];
    this.add({ commands: ranCommand ? 1 : 0, files });
  }

  add({ commands, files }: AgentWork): void {
    this.commands += commands;
    for (const { path, added, removed } of files) {
      const before = this.files.get(path) ?? { added: 0, removed: 0 };
      this.files.set(path, { added: before.added + added, removed: before.removed + removed });
    }
  }
}
