interface ChoiceProps {
  label: string;
  value: string;
  /** Value and label of each option. */
  options: readonly (readonly [string, string])[];
  onChoose: (value: string) => void;
}

/** A drop-down list in the style of the editor's settings. */
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
