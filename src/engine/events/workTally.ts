import type { ToolResult } from '../messages/toolCall';
import type { AgentWork } from './agentEvent';

/** Counts the work of tool calls for one-line summaries. */
export class WorkTally {
  private commands = 0;
  private readonly files = new Map<string, { added: number; removed: number }>();

  get done(): AgentWork {
    return { commands: this.commands, files: [...this.files].map(([path, lines]) => ({ path, ...lines })) };
  }

  /** `ranCommand`: whether the tool runs commands. Unsuccessful calls do not count. */
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
