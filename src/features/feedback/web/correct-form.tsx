import { type FormEvent, useEffect, useRef, useState } from 'react';
import { AudioPlayer } from '../../../platform/web/audio-ui/audio-player.tsx';
import { audioFileUrl } from '../../../platform/web/audio-ui/media-url.ts';
import { sentenceOf } from '../../../platform/web/call.ts';
import { keepText, keptText } from '../../../platform/web/kept-text.ts';
import { displayName, useUser } from '../../../platform/web/session.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Checkbox } from '../../../platform/web/ui/checkbox.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { UploadProgress } from '../../../platform/web/ui/upload-progress.tsx';
import type { Feedback } from '../contract.ts';
import { MISSING_FEEDBACK } from '../limits.ts';
import { AnswerFields } from './answer-fields.tsx';
import { isNothing, packed, unpacked, type Written } from './draft.ts';
import { ownWords } from './given-answer.tsx';
import { withLines } from './mark-lines.ts';
import { MarksEditor } from './marks-editor.tsx';
import { CORRECT_FAILED, useCorrect } from './use-correct.ts';
import { useMarking } from './use-marking.ts';
import { useSpoken } from './use-spoken.ts';
import { useTimedLines } from './use-timed-lines.ts';

/** Feedback that was given, to be changed in each of its parts. What is changed is kept on the device until then. */
export function CorrectForm({ feedback, onDone }: { feedback: Feedback; onDone: () => void }) {
  const { id, recording, audioFeedbackUrl } = feedback;
  const form = useRef<HTMLFormElement>(null);
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [written, change, forget] = useKeptCorrection(feedback);
  const spoken = useSpoken(`correct ${id}`);
  const [isAudioRemoved, setIsAudioRemoved] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const marking = useMarking({
    marks: written.marks,
    onChange: (marks) => change({ marks }),
    audio,
    duration: recording.duration,
  });
  const lines = useTimedLines(recording.melodyId, written.marks.length > 0);
  const finish = () => {
    forget();
    spoken.choose(null);
    onDone();
  };
  const correcting = useCorrect(id, finish);
  const keepsAudio = audioFeedbackUrl !== null && !isAudioRemoved;
  const isEmpty = isNothing(written) && !spoken.audio && !keepsAudio;

  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (correcting.isPending || spoken.isRecording) return;
    setIsMissing(isEmpty);
    if (!isEmpty)
      correcting.mutate({
        ...written,
        marks: withLines(written.marks, lines),
        audio: spoken.audio,
        isAudioRemoved,
      });
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Correct the feedback on ${recording.title}`}
      onSubmit={submit}
      className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-md border border-line p-4">
        <AudioPlayer
          id={recording.id}
          src={audioFileUrl(recording.audioUrl)}
          title={`${recording.title}, ${displayName(recording.student)}`}
          duration={recording.duration}
          peaks={recording.peaks}
          pins={written.marks}
          onPin={(index) => marking.playFrom(written.marks[index]!)}
          hasSpeed
          onAudio={setAudio}
        />
        <MarksEditor
          {...{ marking, lines }}
          duration={recording.duration}
          isDisabled={correcting.isPending}
        />
      </div>
      {audioFeedbackUrl && !spoken.audio && (
        <Checkbox
          label="Take the audio response away"
          checked={isAudioRemoved}
          onChange={(event) => setIsAudioRemoved(event.target.checked)}
        />
      )}
      {audioFeedbackUrl && spoken.audio && (
        <Notice>The new audio takes the place of the one that was sent.</Notice>
      )}
      <AnswerFields
        {...{ written, spoken }}
        onText={(text) => change({ text })}
        isReadOnly={correcting.isPending}
        error={isMissing && isEmpty ? MISSING_FEEDBACK : null}
        actions={
          <div className="flex flex-wrap gap-3">
            <Button onClick={finish} disabled={correcting.isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" busy={correcting.isPending}>
              Save the correction
            </Button>
          </div>
        }
      />
      {correcting.error && (
        <Notice tone="danger" title={CORRECT_FAILED}>
          {sentenceOf(correcting.error, 'The server did not say why.')} What you changed is still here.
        </Notice>
      )}
      {correcting.isPending && spoken.audio && <UploadProgress fraction={correcting.progress.fraction} />}
    </form>
  );
}

/** Whether a correction was begun on this device and neither saved nor given up. */
export const hasKeptCorrection = (userId: string, feedbackId: number) =>
  keptText(userId, placeOf(feedbackId)) !== '';

const placeOf = (feedbackId: number) => `correct ${feedbackId}`;

function useKeptCorrection(feedback: Feedback) {
  const userId = useUser().id;
  const place = placeOf(feedback.id);
  const [written, setWritten] = useState<Written>(
    () => unpacked(keptText(userId, place)) ?? { text: ownWords(feedback) ?? '', marks: feedback.marks },
  );
  const change = (part: Partial<Written>) => {
    const next = { ...written, ...part };
    setWritten(next);
    keepText(userId, place, packed({ ...next, at: Date.now(), isOnServer: false }));
  };
  return [written, change, () => keepText(userId, place, '')] as const;
}
