/** The words that are the shell's own where a command may begin. */
export const KEYWORDS = {
  /** After these a command begins. */
  opening: /^(!|\{|if|then|else|elif|while|until|do)$/,
  /** These end a group. */
  closing: /^(\}|fi|done)$/,
  loop: /^(for|select)$/,
  /** What follows may be run more than once. */
  repeating: /^(for|select|while|until|function)$/,
  /** With these a group begins that may be timed. */
  group: /^(if|while|until|for|select|case|function|coproc|repeat|foreach|\[\[)$/,
  /** Only some shells know these, each with a grammar of its own. */
  foreign: /^(coproc|repeat|foreach|nocorrect)$/,
} as const;
