import { Select } from '#web/ui/select.tsx';
import type { ChosenMelody } from './chosen-melody.ts';

type MelodyChoiceProps = { melody: ChosenMelody; onChange: (id: number | null) => void };

export function MelodyChoice({ melody: { id, library }, onChange }: MelodyChoiceProps) {
  const isHere = typeof library !== 'string';
  return (
    <Select
      label="Melody"
      isOptional
      value={id === null ? '' : String(id)}
      onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
      hint={library === 'missing' ? missing(id !== null) : 'Its words will be shown while you sing.'}
    >
      <option value="">
        {library === 'loading' && id === null ? 'Loading...' : 'Not one from the library'}
      </option>
      {isHere
        ? library.map((melody) => (
            <option key={melody.id} value={melody.id}>
              {melody.title}
            </option>
          ))
        : id !== null && (
            <option value={id}>{library === 'loading' ? 'Loading...' : 'The melody you came from'}</option>
          )}
    </Select>
  );
}

const missing = (isChosen: boolean) =>
  `The library could not be loaded just now. ${isChosen ? 'Your recording will belong to this melody all the same.' : 'You can record all the same.'}`;
