/** The default size of a window. */
export const usualViewport = { width: 1400, height: 900 };
