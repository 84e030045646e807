/** In Cairn's own folder: its tools folder, and the one that Coyote and AIChat use. */
export const OWN_TOOL_FOLDERS = ['tools', 'functions/tools'];

/** In a workspace. */
export const WORKSPACE_TOOL_FOLDER = '.cairn/tools';

/** Files of an agent's folder that may contain its tools. Only the first that exists counts. */
export const AGENT_SCRIPTS = ['tools.sh', 'tools.py', 'tools.ts', 'tools.js'];
