import { clsx } from 'clsx';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  AudioSource,
  type ChosenAudio,
  focusAudioSource,
} from '../../../platform/web/audio-ui/playback/audio-source.tsx';
import {
  isBeingRecorded,
  type SoundActivity,
  useSettledPress,
} from '../../../platform/web/audio-ui/sound-activity.ts';
import { useUser } from '../../../platform/web/session.ts';
import type { NewStoredRecording } from '../../../platform/web/takes/stored-recording.ts';
import { createRecordingWriter } from '../../../platform/web/takes/recording-writer.ts';
import { holdTake } from '../../../platform/web/takes/take-locks.ts';
import { removeTake, takeStore } from '../../../platform/web/takes/use-takes.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { useNavigationBlock } from '../../../platform/web/use-navigation-block.ts';
import { TextArea, TextField } from '../../../platform/web/ui/field.tsx';
import { LeaveGuard } from '../../../platform/web/ui/leave-guard.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { isTooLong } from '../../../platform/web/ui/text-limit.tsx';
import { RECORDING_MESSAGE_MAX, RECORDING_TITLE_MAX, recordingAudioSlot } from '../limits.ts';
import { AfterFeedback } from './after-feedback.tsx';
import { useFoundTake } from './found-take.tsx';
import { MelodyChoice, MelodyWords } from './melody-choice.tsx';
import { NextAttempt } from './next-attempt.tsx';
import { RECORDING } from './queue.ts';
import type { RecordingSending } from './sending.ts';
import { useSubmissionFields } from './submission-fields.ts';
import type { SubmissionProblem } from './submission-state.ts';
import { SubmitBar } from './submit-bar.tsx';
import { Submitted } from './submitted.tsx';
import { FAILED } from './submission-messages.ts';
import { useSubmission } from './use-submission.ts';

const MISSING_TITLE = 'Please provide a title for your recording.';
const LONG_NOTE =
  'Practice recordings are usually up to 2 minutes. Yours is longer, and will be taken all the same.';
/** What becomes of it when one leaves. */
const KEPT_SO_FAR =
  'The recording ends there. What you have sung is kept on this device and offered to you here again.';
const IN_THIS_PAGE_ONLY = 'It is not kept on this device, has not been submitted, and would be gone.';
const MISSING_RECORDING = 'Please record or upload an audio file.';
const SET_ASIDE = 'Your recording is set aside. Record again, or press “Keep the recording I have”.';

/** Not at every letter. */
const KEEP_AFTER_MS = 400;

type Problems = { title?: string; audio?: string };

type SubmitFormProps = {
  onAnother: () => void;
  /** Told which take of the device the form holds. */
  onTake: (id: string | null) => void;
};

export function SubmitForm({ onAnother, onTake }: SubmitFormProps) {
  const { id: userId } = useUser();
  const fields = useSubmissionFields();
  const { title, message } = fields;
  const melody = fields.melody.chosen;
  const [audio, setAudio] = useState<ChosenAudio | null>(null);
  const [activity, setActivity] = useState<SoundActivity>(null);
  const isRecording = isBeingRecorded(activity);
  const [keepsNothing, setKeepsNothing] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const titleField = useRef<HTMLInputElement>(null);
  const messageField = useRef<HTMLTextAreaElement>(null);
  const source = useRef<HTMLDivElement>(null);
  /** Lets go of what was found on the device, once this form holds it. */
  const adopted = useRef<(() => void) | null>(null);
  const ready = audio?.isSetAside ? null : audio;
  const hasWords = Boolean(melody?.melodyText);
  const { state, submit, cancel, forget } = useSubmission((take, sent) => {
    setAudio((held) => held && { ...held, kept: take });
    fields.takeOver(sent);
  });
  const isSending = state.step === 'sending';
  const [hasWaited, setHasWaited] = useState(false);
  if (state.step === 'waiting' && !hasWaited) setHasWaited(true);
  if (state.step === 'filling' && hasWaited) setHasWaited(false);
  // The only copy is in this page.
  useNavigationBlock(audio?.origin === 'recorded' && !audio.kept && state.step !== 'done');
  const isSentOff = state.step === 'waiting' || state.step === 'done' || (isSending && hasWaited);

  const takeAudio = (next: ChosenAudio | null) => {
    // What the form lets go of is not wanted: a new recording or file took its place.
    const former = audio?.kept;
    if (former && former.id !== next?.kept?.id) {
      forget();
      void removeTake(former.id);
    }
    setAudio(next);
    setProblems(({ title: untitled }) => (untitled ? { title: untitled } : {}));
  };
  const { found } = useFoundTake({
    isFormEmpty: audio === null && !isRecording && !isSending,
    onUse: (found, letGo) => {
      adopted.current = letGo;
      setAudio(found);
      if (found.kept?.sending) fields.takeOver(found.kept.sending as RecordingSending);
    },
  });

  const keptId = audio?.kept?.id ?? null;
  useKeptWith(isSending || isSentOff ? null : keptId, fields.sending);
  const sending = useRef(fields.sending);
  useEffect(() => {
    sending.current = fields.sending;
  });
  useEffect(() => onTake(keptId), [keptId, onTake]);
  useEffect(() => {
    if (keptId === null) return;
    const letGo = holdTake(keptId);
    adopted.current?.();
    adopted.current = null;
    return letGo;
  }, [keptId]);
  useEffect(() => {
    if (isSentOff) fields.forget();
  }, [isSentOff]); // eslint-disable-line react-hooks/exhaustive-deps

  const isRecorded = audio?.origin === 'recorded';
  const wasRecording = useRef(false);
  useEffect(() => {
    // The words have folded up again and the recorder stands in its place, so that everything has moved.
    if (isRecorded || (wasRecording.current && !isRecording))
      source.current?.scrollIntoView({ block: 'nearest' });
    wasRecording.current = isRecording;
  }, [isRecorded, isRecording]);

  const send = () => {
    if (isSending || isRecording) return;
    setProblems({
      ...(title.trim() === '' ? { title: MISSING_TITLE } : {}),
      ...(ready === null ? { audio: audio?.isSetAside ? SET_ASIDE : MISSING_RECORDING } : {}),
    });
    if (title.trim() === '') {
      toast({ title: 'Missing Title', description: MISSING_TITLE, variant: 'destructive' });
      titleField.current?.focus();
    } else if (isTooLong(title, RECORDING_TITLE_MAX)) {
      titleField.current?.focus();
    } else if (isTooLong(message ?? '', RECORDING_MESSAGE_MAX)) {
      messageField.current?.focus();
    } else if (ready === null) {
      toast({
        ...(audio?.isSetAside
          ? { title: 'Recording Set Aside', description: SET_ASIDE }
          : { title: 'Missing Recording', description: MISSING_RECORDING }),
        variant: 'destructive',
      });
      focusAudioSource(source.current);
    } else {
      void submit(ready, fields.sending);
    }
  };
  const { isWaiting, press } = useSettledPress(activity, audio?.blob ?? null, send);
  if (isSentOff) {
    const because =
      state.step !== 'waiting' ? 'sending' : state.because === 'asked-to-wait' ? state : state.because;
    return <Submitted waitsBecause={state.step === 'done' ? null : because} onAnother={onAnother} />;
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    press();
  };

  return (
    <form
      noValidate
      onSubmit={onSubmit}
      className={clsx(
        'grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]',
        isRecording && roomForBar,
      )}
    >
      {found && <div className="lg:col-span-2">{found}</div>}
      <div inert={isSending} className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        <MelodyChoice melody={fields.melody} onChange={fields.chooseMelody} />
        <NextAttempt melodyId={fields.melody.id} />
        <TextField
          ref={titleField}
          label="Title"
          aria-required
          limit={RECORDING_TITLE_MAX}
          autoComplete="off"
          value={title}
          onChange={(event) => fields.typeTitle(event.target.value)}
          error={title.trim() === '' ? problems.title : undefined}
        />
        <TextArea
          ref={messageField}
          label="Message"
          isOptional
          rows={3}
          limit={RECORDING_MESSAGE_MAX}
          value={message}
          onChange={(event) => fields.typeMessage(event.target.value)}
          hint="Anything you would like the teacher to know or to listen for."
        />
        <AfterFeedback />
      </div>
      <div className="min-w-0">
        <MelodyWords melody={melody} isRecording={isRecording} />
        <div inert={isSending} className={clsx(isRecording && recorderBar)}>
          <AudioSource
            ref={source}
            look={hasWords ? 'bar' : isRecording ? 'low' : 'large'}
            longNote={LONG_NOTE}
            label="Your recording"
            slot={recordingAudioSlot}
            value={audio}
            onChange={takeAudio}
            onActivityChange={setActivity}
            keepRecording={(name, onProblem) =>
              createRecordingWriter(
                takeStore(),
                { ...wav(userId, name), sending: sending.current },
                (problem) => {
                  setKeepsNothing(true);
                  onProblem(problem);
                },
              )
            }
            error={ready === null && !isRecording ? problems.audio : undefined}
          />
        </div>
        {state.step === 'filling' && state.problem && <SubmissionFailure problem={state.problem} />}
        <SubmitBar
          isSending={isSending}
          sent={isSending ? state.sent : 0}
          {...{ isWaiting }}
          isRecording={activity === 'recording'}
          onCancel={isSending && state.mayCancel ? () => void cancel() : null}
        />
      </div>
      {/* A file that was chosen is still on the device, and a recording that the device keeps is offered again. */}
      <LeaveGuard
        isActive={isRecording || (audio?.origin === 'recorded' && !audio.kept)}
        sentence="Leave without sending your recording?"
        note={keepsNothing || !isRecording ? IN_THIS_PAGE_ONLY : KEPT_SO_FAR}
      />
    </form>
  );
}

/** While it records it stays low in sight, wherever on the page one is. */
const recorderBar =
  'z-10 bg-ground lg:sticky lg:bottom-0 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:max-h-dvh max-lg:overflow-y-auto max-lg:border-t max-lg:border-edge max-lg:px-4 max-lg:pb-3 max-lg:[&_[role=tablist]]:hidden max-lg:[&_[role=tabpanel]>*]:pt-3';

/** What stands last in the form can be brought above it. */
const roomForBar = 'max-lg:pb-72';

function SubmissionFailure({ problem }: { problem: SubmissionProblem }) {
  return problem.is === 'refused' ? (
    <Notice tone="danger" title={FAILED} className="mt-5">
      <p>{problem.reason}</p>
      <p>Your recording and what you wrote are still here.</p>
    </Notice>
  ) : (
    <Notice
      tone="amber"
      title={problem.mayHaveArrived ? 'It may have reached the teacher already' : 'It has not been submitted'}
      className="mt-5"
    >
      <p>
        This recording was discarded in another window. It is still here, if you want to submit it after all.
        {problem.mayHaveArrived && ' The teacher gets it once, whether or not it has arrived.'}
      </p>
    </Notice>
  );
}

const wav = (userId: string, name: string): NewStoredRecording => ({
  userId,
  purpose: RECORDING,
  origin: 'recorded',
  name,
  type: 'audio/wav',
});

/** What is typed stays with the recording on the device, which may be found again without this page. */
function useKeptWith(takeId: string | null, sending: RecordingSending) {
  const { title, message, melodyId } = sending;
  useEffect(() => {
    if (takeId === null) return;
    const keep = () =>
      void takeStore()
        .change(takeId, { sending: { title, message, melodyId } }, ['recorded'])
        .catch(() => undefined);
    const timer = setTimeout(keep, KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [takeId, title, message, melodyId]);
}
