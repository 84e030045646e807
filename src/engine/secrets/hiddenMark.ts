/** What stands in a text where a secret was struck out. */
export const HIDDEN_MARK = '•••';
