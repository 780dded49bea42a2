import { TextField } from '../../../platform/web/ui/field.tsx';
import { TextArea } from '../../../platform/web/ui/text-area.tsx';
import { Select } from '../../../platform/web/ui/select.tsx';
import type { Level } from '../../levels/contract.ts';
import { type MelodyProblems, textLimits, type TypedMelody } from './typed-melody.ts';

type MelodyTextFieldsProps = {
  typed: TypedMelody;
  levels: readonly Level[];
  problems: MelodyProblems;
  /** An existing melody always has a level. */
  isNew: boolean;
  onChange: (typed: TypedMelody) => void;
};

export function MelodyTextFields({ typed, levels, problems, isNew, onChange }: MelodyTextFieldsProps) {
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
        limit={textLimits.title}
        aria-required
        autoComplete="off"
      />
      <TextArea
        {...field('description')}
        label="Description"
        isOptional
        limit={textLimits.description}
        rows={3}
      />
      <TextArea
        {...field('melodyText')}
        label="Melody text"
        isOptional
        rows={10}
        limit={textLimits.melodyText}
        spellCheck={false}
        autoCapitalize="none"
        className="[&_textarea]:font-serif [&_textarea]:leading-loose"
        hint={<MelodyTextHint />}
      />
      <Select {...field('transmissionLevelId')} label="Transmission level" aria-required={isNew}>
        {isNew && <option value="">Select a level</option>}
        {levels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </>
  );
}

/** docs/sung-text.md describes the full format. */
const MelodyTextHint = () => (
  <>
    One sung line to a line, an empty line between verses; it is shown in capitals and kept as you type it.
    Tibetan and translations can stand with it, each on a line of its own:
    <span className="mt-1.5 block rounded-md bg-sunk px-3 py-2 whitespace-pre-wrap text-ink">
      bo: <span lang="bo">ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།</span>
      {'\n'}Om mani padme hung{'\n'}en: The six syllables
    </span>
  </>
);
