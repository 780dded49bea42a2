import { Select, TextArea, TextField } from '../../../platform/web/ui/field.tsx';
import type { Level } from '../../levels/contract.ts';
import { MELODY_DESCRIPTION_MAX, MELODY_TEXT_MAX, MELODY_TITLE_MAX } from '../limits.ts';
import type { MelodyProblems, TypedMelody } from './typed-melody.ts';

type MelodyTextFieldsProps = {
  typed: TypedMelody;
  levels: readonly Level[];
  problems: MelodyProblems;
  onChange: (typed: TypedMelody) => void;
};

export function MelodyTextFields({ typed, levels, problems, onChange }: MelodyTextFieldsProps) {
  const field = (name: keyof TypedMelody) => ({
    name,
    value: typed[name],
    error: problems[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...typed, [name]: target.value }),
  });
  return (
    <>
      <TextField
        {...field('title')}
        label="Title"
        maxLength={MELODY_TITLE_MAX}
        aria-required
        autoComplete="off"
      />
      <TextArea
        {...field('description')}
        label="Description"
        isOptional
        maxLength={MELODY_DESCRIPTION_MAX}
        rows={3}
      />
      <TextArea
        {...field('melodyText')}
        label="Melody text"
        isOptional
        rows={10}
        maxLength={MELODY_TEXT_MAX}
        spellCheck={false}
        autoCapitalize="none"
        dir="auto"
        className="[&_textarea]:font-serif [&_textarea]:leading-loose"
        hint="One sung line to a line. Lines without a tag are shown in capitals; what you type is kept exactly as it is."
      />
      <Select {...field('transmissionLevelId')} label="Transmission level" aria-required>
        <option value="">Select a level</option>
        {levels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </>
  );
}
