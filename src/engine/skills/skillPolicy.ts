/** What an agent, a role, a session or the person says about skills; absent means: not said here. */
export interface SkillPolicy {
  /** False turns skills off; nobody further down can turn them on again. */
  on?: boolean;
  /** The skills that may be loaded; an empty list means none. */
  names?: readonly string[];
  /** Whether the prompt tells the model of skills. Default true. */
  injects?: boolean;
  /** Told instead of the built-in words. */
  instructions?: string;
}
