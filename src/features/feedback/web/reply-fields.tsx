import type { ReactNode } from 'react';
import { Notice } from '#web/ui/notice.tsx';
import { PhraseTextArea } from '../phrases/web/phrase-text-area.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import { MAX_WRITTEN_FEEDBACK_LENGTH } from '../limits.ts';
import { getSendableMarks, composeWrittenFeedback } from '../marks.ts';
import type { WrittenReply } from './draft/written-reply.ts';
import type { SpokenFeedbackLabel } from './given-feedback.tsx';
import { SpokenFeedbackInput } from './spoken-feedback-input.tsx';
import type { RestoredSoundKind, useAudioReply } from './use-audio-reply.ts';

type WrittenFeedbackFieldProps = {
  recording: Pick<Recording, 'student' | 'melodyId'>;
  written: WrittenReply;
  onText: (text: string) => void;
  /** Called when the field loses focus, to save the text. */
  onBlur?: () => void;
  isReadOnly: boolean;
  error: string | null;
  rows?: number;
  className?: string;
};

/** Field for the text of a reply. */
export const WrittenFeedbackField = ({
  recording: { student, melodyId },
  written,
  onText,
  onBlur,
  isReadOnly,
  error,
  rows = 4,
  className,
}: WrittenFeedbackFieldProps) => (
  <PhraseTextArea
    {...{ student, melodyId, onText, rows, className }}
    label="Written feedback"
    name="writtenFeedback"
    limit={MAX_WRITTEN_FEEDBACK_LENGTH}
    value={written.text}
    readOnly={isReadOnly}
    onBlur={onBlur}
    error={error}
  />
);

type SpokenFeedbackFieldProps = {
  written: WrittenReply;
  spoken: ReturnType<typeof useAudioReply>;
  soundName?: SpokenFeedbackLabel;
  /** Buttons next to the audio, aligned with its bottom edge. */
  actions?: ReactNode;
};

/** Field for the spoken part of a reply. If no text is typed, also previews the text built from the marks. */
export function SpokenFeedbackField({
  written,
  spoken,
  soundName = 'Audio response',
  actions,
}: SpokenFeedbackFieldProps) {
  return (
    <>
      {written.text.trim() === '' && written.marks.length > 0 && <MarksPreview marks={written.marks} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {spoken.restored && <Notice tone="amber">{RESTORED[spoken.restored]}</Notice>}
          {spoken.isLoading ? (
            // As tall as the notice and the player that replace it, so that nothing below moves.
            <p role="status" className="min-h-90 rounded-md border border-line p-4 text-sm text-soft">
              Loading your recording…
            </p>
          ) : (
            <SpokenFeedbackInput {...{ spoken, soundName }} />
          )}
        </div>
        {actions}
      </div>
    </>
  );
}

/** Previews the text that the student will read if the teacher types none. */
const MarksPreview = ({ marks }: Pick<WrittenReply, 'marks'>) => {
  const words = composeWrittenFeedback(getSendableMarks(marks));
  return (
    <section className="rounded-md bg-sunk px-4 py-3 text-sm">
      {words === '' ? (
        <p>{EMPTY_MARKS}</p>
      ) : (
        <>
          <h3 className="font-sans text-sm font-semibold">The student will see:</h3>
          <p className="mt-1 break-words whitespace-pre-line">{words}</p>
        </>
      )}
    </section>
  );
};

const EMPTY_MARKS = 'These comments are empty, so they won’t be sent. Write or record something in each one.';

const RESTORED: Record<RestoredSoundKind, string> = {
  whole: 'You recorded this earlier and haven’t sent it. It’s saved on this device.',
  'cut off': 'You recorded this earlier and it was cut off. Everything up to that point is here.',
  file: 'You chose this file earlier and haven’t sent it. It’s saved on this device.',
};
