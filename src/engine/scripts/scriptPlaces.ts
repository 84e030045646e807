/** Below Cairn's own folder: ours, and where Coyote and AIChat have theirs. */
export const OWN_TOOL_FOLDERS = ['tools', 'functions/tools'];

/** Below a workspace. */
export const WORKSPACE_TOOL_FOLDER = '.cairn/tools';

/** What of an agent's folder may hold its tools; only the first that is there counts. */
export const AGENT_SCRIPTS = ['tools.sh', 'tools.py', 'tools.ts', 'tools.js'];
