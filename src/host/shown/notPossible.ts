/** There is nothing for a command to do now. The user is told why; nothing has failed. */
export class NotPossible extends Error {}
