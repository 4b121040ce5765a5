'use client';
/** What becomes of units that come back. */
export type UnitsChoice = 'RESTOCK' | 'NO_RESTOCK' | 'DAMAGED';

const CHOICES: readonly { readonly value: UnitsChoice; readonly word: string }[] = [
  { value: 'RESTOCK', word: 'back on sale' },
  { value: 'NO_RESTOCK', word: 'keep out' },
  { value: 'DAMAGED', word: 'damaged' },
];

export function UnitsSelect({ value, onChange }: { value: UnitsChoice; onChange: (units: UnitsChoice) => void }) {
  return (
    <select
      aria-label="What becomes of the units"
      value={value}
      onChange={(event) => {
        const chosen = CHOICES.find((choice) => choice.value === event.currentTarget.value);
        if (chosen) onChange(chosen.value);
      }}
      className="h-8 rounded-panel border border-line-strong bg-sheet px-2 text-sm"
    >
      {CHOICES.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.word}
        </option>
      ))}
    </select>
  );
}
