import { TextField } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { FileDropField } from '#web/ui/file-drop-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { ChosenLrc } from './use-chosen-lrc.ts';
import { type MelodyProblems, MELODY_TEXT_LIMITS, type MelodyFormValues } from './melody-form-values.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { TextLayerSwitches, ReadOnlySungText } from '#features/lyrics/web/read-only-sung-text.tsx';

type MelodyDescriptionFieldProps = {
  typed: MelodyFormValues;
  problems: MelodyProblems;
  onChange: (typed: MelodyFormValues) => void;
};

type MelodyTitleAndLevelFieldsProps = MelodyDescriptionFieldProps & {
  levels: readonly Level[];
  /** Whether the melody is new. An existing melody always has a level. */
  isNew: boolean;
};

/** Fields for title and level, which are required. */
export function MelodyTitleAndLevelFields({
  typed,
  levels,
  problems,
  isNew,
  onChange,
}: MelodyTitleAndLevelFieldsProps) {
  const field = getFieldProps({ typed, problems, onChange });
  return (
    <>
      <TextField
        {...field('title')}
        label="Title"
        limit={MELODY_TEXT_LIMITS.title}
        aria-required
        autoComplete="off"
        hint={isNew ? 'Leave this empty to use the title in the audio file.' : undefined}
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

/** Fields for the words and for an LRC file with their times, and a preview of the words. */
export function MelodyWordsFields({ lrc, ...form }: MelodyDescriptionFieldProps & { lrc: ChosenLrc }) {
  return (
    <>
      <TextArea
        {...getFieldProps(form)('melodyText')}
        label="Melody text"
        isOptional
        rows={10}
        limit={MELODY_TEXT_LIMITS.melodyText}
        spellCheck={false}
        autoCapitalize="none"
        className="[&_textarea]:font-serif [&_textarea]:leading-loose"
        hint={<MelodyTextHint />}
      />
      <TextPreview text={form.typed.melodyText} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <FileDropField
          label="Timing file (LRC)"
          isOptional
          accept=".lrc,text/plain"
          hint="Line timing. It also fills in the words if there are none yet."
          file={lrc.file}
          error={lrc.refusal}
          onChange={lrc.choose}
        />
        {lrc.outcome && (
          <Notice tone={lrc.outcome.tone} title={lrc.outcome.title}>
            {lrc.outcome.rest}
          </Notice>
        )}
      </div>
    </>
  );
}

export const MelodyDescriptionField = (form: MelodyDescriptionFieldProps) => (
  <TextArea
    {...getFieldProps(form)('description')}
    label="Description"
    isOptional
    limit={MELODY_TEXT_LIMITS.description}
    rows={3}
  />
);

const getFieldProps =
  ({ typed, problems, onChange }: MelodyDescriptionFieldProps) =>
  (name: keyof MelodyFormValues) => ({
    name,
    value: typed[name],
    error: problems[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...typed, [name]: target.value }),
  });

/** Summary of the text format. docs/sung-text.md describes it in full. */
const MelodyTextHint = () => (
  <>
    One sung line per row, with a blank row between verses. Words appear in capitals but are saved as you type
    them. Tibetan and translations go on rows of their own. Start these rows with “bo:” for Tibetan and “en:”
    for English:
    <span className="mt-1.5 block rounded-md bg-sunk px-3 py-2 whitespace-pre-wrap text-ink">
      bo: <span lang="bo">ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།</span>
      {'\n'}Om mani padme hung{'\n'}en: The six syllables
    </span>
  </>
);

/** Preview of the words as students will see them, with their layers. */
function TextPreview({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return (
    <Disclosure label="Preview of the words">
      {() => (
        <section
          aria-label="Preview of the words"
          tabIndex={0}
          className="grid max-h-[28rem] grid-cols-[minmax(0,1fr)] gap-4 overflow-y-auto rounded-md border border-line bg-surface p-4"
        >
          <TextLayerSwitches text={text} />
          <ReadOnlySungText text={text} />
        </section>
      )}
    </Disclosure>
  );
}
