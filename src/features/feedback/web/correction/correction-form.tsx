import { explainError } from '#web/ui/sentences.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSendWhenSettled } from '#web/audio-ui/sound-activity.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { UploadStatus } from '#web/uploads/upload-status.tsx';
import type { Feedback } from '#features/feedback/contract.ts';
import { MISSING_FEEDBACK_MESSAGE } from '#features/feedback/limits.ts';
import { hasTextOrSendableMark, getSendableMarks } from '#features/feedback/marks.ts';
import { SpokenFeedbackField, WrittenFeedbackField } from '../reply-fields.tsx';
import { useSungLines } from '../inbox/lines/use-sung-lines.ts';
import { MarkedRecordingEditor } from '../inbox/listening/recording-editor.tsx';
import { useRecordingPlayback } from '../inbox/listening/use-recording-playback.ts';
import { focusFirstInvalidReplyField, isTooLongToSend } from '../reply-validation.ts';
import { addMelodyTimes } from '../marks/mark-lines.ts';
import { describeVoicesElsewhere, useMarkVoices } from '../voices/use-mark-voices.ts';
import { useStoredCorrection } from './use-stored-correction.ts';
import { useMarking } from '../marks/use-marking.ts';
import { useAudioReply, toReplyUploadFiles } from '../use-audio-reply.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { formatWrittenReply } from '../draft/other-drafts.tsx';
import { CorrectedNote, GivenFeedback, getTypedFeedback } from '../given-feedback.tsx';
import { useMutation } from '@tanstack/react-query';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { callApi } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import { useUpload } from '#web/uploads/use-upload.ts';
import type { FormUploadFile } from '#web/uploads/form-upload.ts';
import type { WrittenReply } from '../draft/written-reply.ts';

/** Reason why pressing Save or Cancel had no effect. */
type BlockedReason = 'recording' | 'voice elsewhere' | 'overtaken' | 'nothing said' | 'nothing changed';

/**
 * Form to correct the text, marks and audio of released feedback. Changes are stored on the device until they
 * are saved or discarded.
 */
export function CorrectionForm({ feedback, onDone }: { feedback: Feedback; onDone: () => void }) {
  const { id, recording, audioFeedbackUrl } = feedback;
  const form = useRef<HTMLFormElement>(null);
  const correction = useStoredCorrection(feedback);
  const { written, isRewritten, isOvertaken, change, forget } = correction;
  const sung = useSungLines(recording, true, written.marks.length > 0);
  const { lines, passages } = sung;
  const listening = useRecordingPlayback(recording, written.marks, passages);
  const { audio } = listening;
  const spoken = useAudioReply(`correct ${id}`);
  const [isAudioRemoved, setIsAudioRemoved] = useState(false);
  const [blockedReason, setBlockedReason] = useState<BlockedReason | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const voices = useMarkVoices({
    of: `correct ${id}`,
    marks: written.marks,
    onMarks: (marks) => change({ marks }),
    audio,
    duration: recording.duration,
    stored: feedback.voices,
  });
  const marking = useMarking({
    marks: written.marks,
    onChange: voices.change,
    audio,
    duration: recording.duration,
  });
  const finish = () => {
    forget();
    spoken.choose(null);
    voices.clear();
    onDone();
  };
  const correcting = useCorrect(id, finish);
  const keepsAudio = audioFeedbackUrl !== null && !isAudioRemoved;
  const isEmpty = !hasTextOrSendableMark(written) && !spoken.audio && !keepsAudio;
  const isChanged = isRewritten || spoken.audio !== null || isAudioRemoved;
  const isBlockedBy = {
    recording: spoken.isRecording || voices.isOn,
    'voice elsewhere': voices.marksWithVoiceElsewhere.length > 0,
    overtaken: isOvertaken,
    'nothing said': isEmpty,
    'nothing changed': !isChanged,
  };
  const shown = blockedReason && isBlockedBy[blockedReason] ? blockedReason : null;

  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const save = () => {
    if (correcting.isPending) return;
    const found = BLOCKED_REASONS.find((each) => isBlockedBy[each]) ?? null;
    setBlockedReason(found);
    if (found) return;
    if (isTooLongToSend(written)) return focusFirstInvalidReplyField(form.current);
    correcting.mutate({
      ...written,
      marks: addMelodyTimes(written.marks, lines, passages),
      audio: spoken.audio,
      voices: voices.files,
      isAudioRemoved,
      basedOn: correction.basedOn,
    });
  };
  const afterVoice = useSendWhenSettled(voices.activity, voices.newestBlob, save);
  const afterReply = useSendWhenSettled(spoken.activity, spoken.audio?.blob ?? null, afterVoice.press);
  const { press } = afterReply;
  const isWaiting = afterReply.isWaiting || afterVoice.isWaiting;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    press();
  };
  const cancel = () => {
    if (isBlockedBy.recording) setBlockedReason('recording');
    else if (isRewritten || spoken.audio) setIsConfirming(true);
    else finish();
  };
  const choose = (which: 'keepMine' | 'takeNewer') => {
    correcting.reset();
    if (which === 'takeNewer') voices.clear();
    correction[which]();
    form.current?.querySelector('textarea')?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Edit feedback on ${recording.title}`}
      onSubmit={submit}
      className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <div className="rounded-md border border-line p-4">
        <MarkedRecordingEditor
          {...{ recording, sung, listening, marking, voices }}
          isDisabled={correcting.isPending}
          canRecordVoice={!correcting.isPending}
        />
      </div>
      {audioFeedbackUrl && !spoken.audio && (
        <Checkbox
          label="Remove the audio feedback"
          checked={isAudioRemoved}
          onChange={(event) => setIsAudioRemoved(event.target.checked)}
        />
      )}
      {audioFeedbackUrl && spoken.audio && <Notice>The new audio will replace the one you sent.</Notice>}
      {isOvertaken && (
        <NewerFeedback
          feedback={feedback}
          onKeepMine={() => choose('keepMine')}
          onTakeNewer={() => choose('takeNewer')}
        />
      )}
      <WrittenFeedbackField
        {...{ recording, written }}
        onText={(text) => change({ text })}
        isReadOnly={correcting.isPending}
        error={shown === 'nothing said' ? MISSING_FEEDBACK_MESSAGE : null}
      />
      <SpokenFeedbackField
        {...{ written, spoken }}
        soundName="Audio feedback"
        actions={
          <div className="flex flex-wrap gap-3">
            <Button onClick={cancel} disabled={correcting.isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" busy={correcting.isPending || isWaiting}>
              Save correction
            </Button>
          </div>
        }
      />
      {shown === 'recording' && (
        <Notice tone="amber">{spoken.isSetAside ? CHOOSE_SOUND_FIRST : STOP_FIRST}</Notice>
      )}
      {shown === 'voice elsewhere' && (
        <Notice tone="amber">{describeVoicesElsewhere(voices.marksWithVoiceElsewhere)}</Notice>
      )}
      {shown === 'overtaken' && <Notice tone="amber">{CHOOSE_FIRST}</Notice>}
      {shown === 'nothing changed' && <Notice>{NOTHING_CHANGED}</Notice>}
      {correcting.error && (
        <Notice tone="danger" title={CORRECT_FAILED}>
          {explainError(correcting.error, 'Something went wrong.', 'Your changes are still here.')}
        </Notice>
      )}
      {correcting.upload.state.step === 'stopped' && (
        <Notice>Sending was stopped. Your changes weren’t sent and are still here.</Notice>
      )}
      {correcting.isPending && (spoken.audio || voices.files.length > 0) && (
        <UploadStatus state={correcting.upload.state} onStop={correcting.upload.stop} />
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        sentence="Discard your changes?"
        note={`The feedback stays as it was sent${spoken.audio ? ', and the new audio is deleted' : ''}.`}
        cancelLabel="Keep editing"
        confirmLabel="Discard"
        isDangerous
        onConfirm={finish}
      />
    </form>
  );
}

const BLOCKED_REASONS: readonly BlockedReason[] = [
  'recording',
  'voice elsewhere',
  'overtaken',
  'nothing said',
  'nothing changed',
];
const STOP_FIRST = 'Stop the recording first, then save or cancel.';
const CHOOSE_SOUND_FIRST =
  'You started to replace your recording. Record again or press “Keep my recording”, then save.';
const CHOOSE_FIRST = 'First choose one of the two versions above, then save.';
const NOTHING_CHANGED = 'You haven’t changed anything yet.';

type NewerFeedbackProps = { feedback: Feedback; onKeepMine: () => void; onTakeNewer: () => void };

/** Shows feedback that was corrected elsewhere, and lets the teacher choose this version or their own. */
const NewerFeedback = ({ feedback, onKeepMine, onTakeNewer }: NewerFeedbackProps) => (
  <section
    aria-label="Newer version"
    className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-md border border-line p-4"
  >
    <Notice tone="amber" title="Someone else corrected this feedback while you were writing.">
      The student sees this newer version. Your changes are below and aren’t saved yet.
    </Notice>
    <p className="text-sm text-soft">
      <CorrectedNote correctedAt={feedback.correctedAt} />
    </p>
    <p dir="auto" className="measure break-words whitespace-pre-line">
      {formatWrittenReply({ text: getTypedFeedback(feedback) ?? '', marks: feedback.marks })}
    </p>
    <GivenFeedback
      feedback={{ ...feedback, writtenFeedback: null }}
      title={`${feedback.recording.title}, ${formatDisplayName(feedback.recording.student)}`}
      soundName="Audio feedback"
    />
    <div className="flex flex-wrap gap-3">
      <Button onClick={onKeepMine}>Use my version</Button>
      <Button onClick={onTakeNewer}>Use the newer version</Button>
    </div>
  </section>
);

const CORRECT_FAILED = 'Failed to correct feedback. Please try again.';

type Correction = WrittenReply & {
  /** New spoken part; null for none, which keeps the existing one unless `isAudioRemoved` is true. */
  audio: ChosenAudio | null;
  /** Newly recorded voice comments on marks. */
  voices: readonly FormUploadFile[];
  isAudioRemoved: boolean;
  /** The feedback's `correctedAt` when these changes began; '' if it had never been corrected. */
  basedOn: string;
};

function useCorrect(feedbackId: number, onDone: () => void) {
  const upload = useUpload();
  const correcting = useMutation({
    mutationFn: ({ text, marks, audio, voices, isAudioRemoved, basedOn }: Correction) =>
      upload.send([...toReplyUploadFiles(audio), ...voices], ([first]) =>
        callApi('PUT /api/feedback/{id}', {
          params: { id: feedbackId },
          form: {
            // Trimmed, so that surrounding whitespace does not count against the maximum length.
            writtenFeedback: text.trim(),
            marks: JSON.stringify(getSendableMarks(marks)),
            basedOn,
            ...(isAudioRemoved && !audio ? { removeAudio: 'true' as const } : {}),
            ...(audio && first ? { uploadId: first } : {}),
            ...(audio?.peaks ? { peaks: audio.peaks } : {}),
          },
        }),
      ),
    meta: { refreshes: ['/api/admin/feedback', '/api/recordings', '/api/admin/recordings'] },
    onSuccess: () => {
      toast({ title: 'Feedback corrected' });
      onDone();
    },
    onError: (error) => {
      // Refetches feedback that was corrected elsewhere, so that the form shows the newer version.
      if (error.status === 409) refreshQueries(['/api/admin/feedback']);
      if (!upload.wasStopped()) toast({ title: CORRECT_FAILED, variant: 'destructive' });
    },
  });
  return { ...correcting, error: upload.wasStopped() ? null : correcting.error, upload };
}
