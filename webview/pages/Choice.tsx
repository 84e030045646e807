interface ChoiceProps {
  label: string;
  value: string;
  /** Value and words of each. */
  options: readonly (readonly [string, string])[];
  onChoose: (value: string) => void;
}

/** One of several, as the editor's own settings show it. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label class="page-choice">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([one, words]) => (
          <option key={one} value={one} selected={one === value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
