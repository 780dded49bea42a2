import { whyAnd } from '#web/ui/sentences.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSettledPress } from '#web/audio-ui/sound-activity.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { UploadStatus } from '#web/uploads/upload-status.tsx';
import type { Feedback } from '#features/feedback/contract.ts';
import { MISSING_FEEDBACK } from '#features/feedback/limits.ts';
import { saysSomething, toSend } from '#features/feedback/marks.ts';
import { SpokenField, WrittenField } from '../answer-fields.tsx';
import { useSungLines } from '../inbox/lines/use-sung-lines.ts';
import { RecordingEditor } from '../inbox/listening/recording-editor.tsx';
import { useListening } from '../inbox/listening/use-listening.ts';
import { focusWhatIsWrong, isTooLongToSend } from '../too-long.ts';
import { withLines } from '../marks/mark-lines.ts';
import { elsewhereSentence, useVoices } from '../voices/use-voices.ts';
import { useKeptCorrection } from './use-kept-correction.ts';
import { useMarking } from '../marks/use-marking.ts';
import { useAudioReply, spokenFile } from '../use-audio-reply.ts';
import { displayName } from '#web/api/session.ts';
import { wholeText } from '../draft/draft-besides.tsx';
import { CorrectedNote, GivenAnswer, ownWords } from '../given-answer.tsx';
import { useMutation } from '@tanstack/react-query';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { call } from '#web/api/call.ts';
import { refresh } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import { useUpload } from '#web/uploads/use-upload.ts';
import type { ChosenFile } from '#web/uploads/page-upload.ts';
import type { Written } from '../draft/draft.ts';

/** Why a press of a form button had no effect. */
type Hindrance = 'recording' | 'voice elsewhere' | 'overtaken' | 'nothing said' | 'nothing changed';

/** Form to correct every part of given feedback. Changes are kept on the device until they are saved or discarded. */
export function CorrectForm({ feedback, onDone }: { feedback: Feedback; onDone: () => void }) {
  const { id, recording, audioFeedbackUrl } = feedback;
  const form = useRef<HTMLFormElement>(null);
  const begun = useKeptCorrection(feedback);
  const { written, isRewritten, isOvertaken, change, forget } = begun;
  const sung = useSungLines(recording, true, written.marks.length > 0);
  const { lines, passages } = sung;
  const listening = useListening(recording, written.marks, passages);
  const { audio } = listening;
  const spoken = useAudioReply(`correct ${id}`);
  const [isAudioRemoved, setIsAudioRemoved] = useState(false);
  const [hindrance, setHindrance] = useState<Hindrance | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const voices = useVoices({
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
  const isEmpty = !saysSomething(written) && !spoken.audio && !keepsAudio;
  const isChanged = isRewritten || spoken.audio !== null || isAudioRemoved;
  const isHindered = {
    recording: spoken.isRecording || voices.isOn,
    'voice elsewhere': voices.elsewhere.length > 0,
    overtaken: isOvertaken,
    'nothing said': isEmpty,
    'nothing changed': !isChanged,
  };
  const shown = hindrance && isHindered[hindrance] ? hindrance : null;

  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const save = () => {
    if (correcting.isPending) return;
    const found = HINDRANCES.find((each) => isHindered[each]) ?? null;
    setHindrance(found);
    if (found) return;
    if (isTooLongToSend(written)) return focusWhatIsWrong(form.current);
    correcting.mutate({
      ...written,
      marks: withLines(written.marks, lines, passages),
      audio: spoken.audio,
      voices: voices.files,
      isAudioRemoved,
      basedOn: begun.basedOn,
    });
  };
  const afterVoice = useSettledPress(voices.activity, voices.newest, save);
  const afterReply = useSettledPress(spoken.activity, spoken.audio?.blob ?? null, afterVoice.press);
  const { press } = afterReply;
  const isWaiting = afterReply.isWaiting || afterVoice.isWaiting;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    press();
  };
  const cancel = () => {
    if (isHindered.recording) setHindrance('recording');
    else if (isRewritten || spoken.audio) setIsAsking(true);
    else finish();
  };
  const choose = (which: 'keepMine' | 'takeNewer') => {
    correcting.reset();
    if (which === 'takeNewer') voices.clear();
    begun[which]();
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
        <RecordingEditor
          {...{ recording, sung, listening, marking, voices }}
          isDisabled={correcting.isPending}
          maySpeak={!correcting.isPending}
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
      <WrittenField
        {...{ recording, written }}
        onText={(text) => change({ text })}
        isReadOnly={correcting.isPending}
        error={shown === 'nothing said' ? MISSING_FEEDBACK : null}
      />
      <SpokenField
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
      {shown === 'voice elsewhere' && <Notice tone="amber">{elsewhereSentence(voices.elsewhere)}</Notice>}
      {shown === 'overtaken' && <Notice tone="amber">{CHOOSE_FIRST}</Notice>}
      {shown === 'nothing changed' && <Notice>{NOTHING_CHANGED}</Notice>}
      {correcting.error && (
        <Notice tone="danger" title={CORRECT_FAILED}>
          {whyAnd(correcting.error, 'Something went wrong.', 'Your changes are still here.')}
        </Notice>
      )}
      {correcting.upload.state.step === 'stopped' && (
        <Notice>Sending was stopped. Your changes weren’t sent and are still here.</Notice>
      )}
      {correcting.isPending && (spoken.audio || voices.files.length > 0) && (
        <UploadStatus state={correcting.upload.state} onStop={correcting.upload.stop} />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
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

const HINDRANCES: readonly Hindrance[] = [
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

/** Shows the current feedback if it was corrected elsewhere while this form was open. */
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
      {wholeText({ text: ownWords(feedback) ?? '', marks: feedback.marks })}
    </p>
    <GivenAnswer
      feedback={{ ...feedback, writtenFeedback: null }}
      title={`${feedback.recording.title}, ${displayName(feedback.recording.student)}`}
      soundName="Audio feedback"
    />
    <div className="flex flex-wrap gap-3">
      <Button onClick={onKeepMine}>Use my version</Button>
      <Button onClick={onTakeNewer}>Use the newer version</Button>
    </div>
  </section>
);

const CORRECT_FAILED = 'Failed to correct feedback. Please try again.';

type Correction = Written & {
  /** Replaces the spoken part; null keeps it. */
  audio: ChosenAudio | null;
  /** New voices of marks. */
  voices: readonly ChosenFile[];
  isAudioRemoved: boolean;
  /** When the feedback was last corrected before these changes began; '' for never. */
  basedOn: string;
};

function useCorrect(feedbackId: number, onDone: () => void) {
  const upload = useUpload();
  const correcting = useMutation({
    mutationFn: ({ text, marks, audio, voices, isAudioRemoved, basedOn }: Correction) =>
      upload.send([...spokenFile(audio), ...voices], ([first]) =>
        call('PUT /api/feedback/{id}', {
          params: { id: feedbackId },
          form: {
            // Surrounding whitespace does not count against the limit.
            writtenFeedback: text.trim(),
            marks: JSON.stringify(toSend(marks)),
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
      // Corrected elsewhere: the form shows the newer feedback after the refresh.
      if (error.status === 409) refresh(['/api/admin/feedback']);
      if (!upload.wasStopped()) toast({ title: CORRECT_FAILED, variant: 'destructive' });
    },
  });
  return { ...correcting, error: upload.wasStopped() ? null : correcting.error, upload };
}
