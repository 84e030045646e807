/** The size of a window that has none of its own. */
export const usualViewport = { width: 1400, height: 900 };
