import type { ReactNode } from 'react';
import { getServerFieldErrors, useForm } from '#web/forms/use-form.ts';
import { explainError } from '#web/ui/sentences.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { truncateWords } from '#features/feedback/web/marks/mark-lines.ts';
import { type SungLine, getLineWords } from '#features/lyrics/parse.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { getLineBeginning } from '../line-beginning.ts';
import { EMPTY_TEACHING_NOTE_MESSAGE, MAX_TEACHING_NOTE_LENGTH } from '../limits.ts';
import { findSungLineIndex, getTextLineIndex } from './notes-by-line.ts';
import type { NoteToSend, NoteDraft } from './note-draft.ts';
import { findStudentNames, type StudentFullNameFields } from './remove-student-names.ts';

type NoteFormProps = {
  lines: readonly SungLine[];
  typed: NoteDraft;
  onChange: (typed: NoteDraft) => void;
  /** Label of the voice checkbox; undefined if there is no voice recording. */
  voiceLabel?: string;
  /** Whether unsaved text from an earlier visit was restored. */
  wasRestored: boolean;
  /** The student whose name should not appear in the note. */
  student?: StudentFullNameFields;
  submitLabel: string;
  isBusy: boolean;
  /** Error from saving. */
  error: unknown;
  onSubmit: (note: NoteToSend) => void;
  onCancel: () => void;
  /** Rendered before the buttons. */
  children?: ReactNode;
};

export function NoteForm(props: NoteFormProps) {
  const { lines, typed, onChange, voiceLabel, student, submitLabel, isBusy, error, onSubmit, onCancel } =
    props;
  const rejected = getServerFieldErrors<NoteToSend>(error);
  const isShownAtField = rejected.line !== undefined || rejected.text !== undefined;
  const index = typed.line === null ? null : findSungLineIndex(lines, typed.line);
  const names = student ? findStudentNames(typed.text, student) : [];

  const change = (part: Partial<NoteDraft>) => onChange({ ...typed, ...part });
  const form = useForm({
    values: { line: typed.line, text: typed.text.trim() },
    schema: async () => (await import('../contract.ts')).teachingNotesApi.add.body.pick({ text: true }),
    check: ({ line, text }) => ({
      ...(line === null && { line: 'Please choose a line.' }),
      ...(text === '' && !typed.hasVoice && { text: EMPTY_TEACHING_NOTE_MESSAGE }),
    }),
    onValid: ({ text }) => {
      if (index === null) return;
      const lineWords = getLineBeginning(getLineWords(lines[index]!));
      onSubmit({ line: getTextLineIndex(lines, index), lineWords, text });
    },
  });
  const problems = { ...rejected, ...form.problems };
  return (
    <form {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {props.wasRestored && (
        <Notice title="Your unsaved note is back">You haven’t saved it yet. Cancel deletes it.</Notice>
      )}
      <Select
        label="Line of the melody"
        name="line"
        value={index ?? ''}
        error={problems.line}
        {...getLangProps(index === null ? '' : getLineWords(lines[index]!))}
        onChange={({ target: { value } }) =>
          change({ line: value === '' ? null : getTextLineIndex(lines, Number(value)) })
        }
      >
        {index === null && (
          <option value="" lang="en">
            Choose a line
          </option>
        )}
        {lines.map((line) => (
          <option key={line.index} value={line.index} {...getLangProps(getLineWords(line))}>
            {`${line.index + 1}. ${truncateWords(getLineWords(line))}`}
          </option>
        ))}
      </Select>
      <TextArea
        label="Note"
        name="text"
        rows={3}
        value={typed.text}
        limit={MAX_TEACHING_NOTE_LENGTH}
        error={problems.text}
        hint="Everyone learning this melody sees it at this line."
        onChange={({ target }) => change({ text: target.value })}
      />
      {names.length > 0 && (
        <Notice tone="amber" title={`Contains the student’s name: ${names.join(', ')}`}>
          Remove the name, unless it is also a word in the melody.
        </Notice>
      )}
      {voiceLabel !== undefined && (
        <Checkbox
          label={voiceLabel}
          checked={typed.hasVoice}
          onChange={({ target }) => {
            change({ hasVoice: target.checked });
            form.edit('text');
          }}
        />
      )}
      {props.children}
      {error !== null && !isShownAtField && (
        <Notice tone="danger" title="The note wasn’t saved.">
          {explainError(error, 'Please try again.', 'What you wrote is still here.')}
        </Notice>
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
