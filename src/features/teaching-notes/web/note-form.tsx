import type { ReactNode } from 'react';
import { refusedIn, useForm } from '#web/forms/use-form.ts';
import { whyAnd } from '#web/ui/sentences.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { shortened } from '#features/feedback/web/marks/mark-lines.ts';
import { type SungLine, wordsOf } from '#features/lyrics/parse.ts';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import { beginningOf } from '../beginning-of.ts';
import { TEACHING_NOTE_EMPTY, TEACHING_NOTE_TEXT_MAX } from '../limits.ts';
import { sungLineOf, typedLineOf } from './notes-by-line.ts';
import type { NoteToSend, TypedNote } from './typed-note.ts';
import { namesIn, type Student } from './without-names.ts';

type NoteFormProps = {
  lines: readonly SungLine[];
  typed: TypedNote;
  onChange: (typed: TypedNote) => void;
  /** Label of the voice checkbox; absent if there is no voice. */
  voiceLabel?: string;
  /** Whether unsaved text from before was restored. */
  wasKept: boolean;
  /** The student whose name should not appear in the note. */
  student?: Student;
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
  const refused = refusedIn<NoteToSend>(error);
  const isSaidAtField = refused.line !== undefined || refused.text !== undefined;
  const index = typed.line === null ? null : sungLineOf(lines, typed.line);
  const names = student ? namesIn(typed.text, student) : [];

  const change = (part: Partial<TypedNote>) => onChange({ ...typed, ...part });
  const form = useForm({
    values: { line: typed.line, text: typed.text.trim() },
    schema: async () => (await import('../contract.ts')).teachingNotesApi.add.body.pick({ text: true }),
    check: ({ line, text }) => ({
      ...(line === null && { line: 'Please choose a line.' }),
      ...(text === '' && !typed.hasVoice && { text: TEACHING_NOTE_EMPTY }),
    }),
    onValid: ({ text }) => {
      if (index === null) return;
      const lineWords = beginningOf(wordsOf(lines[index]!));
      onSubmit({ line: typedLineOf(lines, index), lineWords, text });
    },
  });
  const problems = { ...refused, ...form.problems };
  return (
    <form {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {props.wasKept && (
        <Notice title="Your unsaved note is back">You haven’t saved it yet. Cancel deletes it.</Notice>
      )}
      <Select
        label="Line of the melody"
        name="line"
        value={index ?? ''}
        error={problems.line}
        {...langOf(index === null ? '' : wordsOf(lines[index]!))}
        onChange={({ target: { value } }) =>
          change({ line: value === '' ? null : typedLineOf(lines, Number(value)) })
        }
      >
        {index === null && (
          <option value="" lang="en">
            Choose a line
          </option>
        )}
        {lines.map((line) => (
          <option key={line.index} value={line.index} {...langOf(wordsOf(line))}>
            {`${line.index + 1}. ${shortened(wordsOf(line))}`}
          </option>
        ))}
      </Select>
      <TextArea
        label="Note"
        name="text"
        rows={3}
        value={typed.text}
        limit={TEACHING_NOTE_TEXT_MAX}
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
      {error !== null && !isSaidAtField && (
        <Notice tone="danger" title="The note wasn’t saved.">
          {whyAnd(error, 'Please try again.', 'What you wrote is still here.')}
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
