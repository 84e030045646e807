/** Where "always" can keep a rule, from the narrowest to the widest, in words for the end of a sentence. */
export const APPROVAL_SCOPES = {
  session: 'in this session',
  workspace: 'in this workspace',
  user: 'in every workspace',
} as const;
export type ApprovalScope = keyof typeof APPROVAL_SCOPES;
