import { type Equivalent, NEVER_UNDEFINED } from './equivalent';

/** Equivalents in the code for MCP servers. */
export const mcpEquivalents: readonly Equivalent[] = [
  {
    file: 'src/engine/mcp/mcpServers.ts',
    line: 'await this.running.forgive(server);',
    change: 'await this.running.forgive(server) → this.running.forgive(server)',
    why: 'It is done before the next look at the server all the same: both wait for the same name of it, this one first.',
  },
  {
    file: 'src/engine/mcp/running/runningServers.ts',
    line: 'this.listeners.clear();',
    change: 'this.listeners.clear(); → nothing',
    why: 'It only lets go of what is not needed any longer: all servers have ended, and none is started any more.',
  },
  {
    file: 'src/engine/mcp/running/keptByLaunch.ts',
    line: 'const LEGACY_MS = 7 * 86_400_000;',
    change: '86_400_000 → (86_400_000 + 1)',
    why: 'A choice: when it is asked again, in a week or some milliseconds later.',
  },
  {
    file: 'src/engine/mcp/offeredTools.ts',
    line: 'const areMany = few.reduce((sum, size) => sum + size, 0) > TOLD_TOKENS;',
    change: '0 → (0 + 1)',
    why: 'A choice: how many tokens are few, one more or less of what is only guessed.',
  },
  {
    file: 'src/engine/mcp/running/runningServers.ts',
    line: 'const isOutdated = (this.askedAgain.get(key) ?? 0) > MOST_IN_A_ROW;',
    change: '0 → (0 + 1)',
    why: 'Both are less than so many.',
  },
  {
    file: 'src/engine/mcp/running/serverTroubles.ts',
    line: "if (trouble) this.troubles.set(key, { ...trouble, reason: 'io', until: this.clock.now() });",
    change: "'io' → ''",
    why: 'Of a trouble that is kept it only counts whether the user was refused.',
  },
  {
    file: 'src/engine/mcp/rankTools.ts',
    line: 'score += (rare * count * (K1 + 1)) / (count + K1 * (1 - B + (B * words.length) / average));',
    change: 'K1 + 1 → (K1) - (1)',
    why: 'A factor of all scores alike, of which only the order counts.',
  },
  {
    file: 'src/engine/mcp/offeredTools.ts',
    line: 'const MAX_LINE = 160;',
    change: '160 → (160 + 1)',
    why: 'A choice: how much of a line is shown, a character more or less.',
  },
  {
    file: 'src/engine/mcp/serverLists.ts',
    line: "onProblem(`The tool ${name} is left out: ${place}${issue?.message ?? 'it is malformed'}.`);",
    change: "issue?.message ?? 'it is malformed' → issue?.message",
    why: NEVER_UNDEFINED,
  },
  {
    file: 'src/engine/mcp/offeredTools.ts',
    line: "areMany || (sizes.get(server.id) ?? 0) > TOLD_TOKENS ? 'search' : 'always';",
    change: 'sizes.get(server.id) ?? 0 → sizes.get(server.id)',
    why: 'Of a server without a size somebody chose how it is offered, and no comparison with nothing holds.',
  },
  {
    file: 'src/engine/mcp/mcpServers.ts',
    line: "const ids = servers.map(({ id }) => safeLine(id, 100, 'exact'));",
    change: '100 → (100 + 1)',
    why: 'A choice: how much of a long name is shown, a character more or less.',
  },
  {
    file: 'src/engine/mcp/running/mcpPool.ts',
    line: "return new EngineError('io', `${error.message} ${next}`, { cause: error });",
    change: "'io' → ''",
    why: 'Only the message of this error is read, not its reason.',
  },
];
