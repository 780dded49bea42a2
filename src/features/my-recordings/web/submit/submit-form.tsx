import { clsx } from 'clsx';
import { type FormEvent, type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AudioInput, type ChosenAudio, focusAudioInput } from '#features/recordings/web/audio-input.tsx';
import { isBeingRecorded, useSendWhenSettled } from '#web/audio-ui/sound-activity.ts';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { useUser } from '#web/api/session.ts';
import type { NewStoredRecording } from '#web/audio/stored-recording.ts';
import { createRecordingWriter } from '#features/recordings/web/takes/recording-writer.ts';
import { removeTake, getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { createStore } from '#web/store.ts';
import { toast } from '#web/ui/toasts.ts';
import { useRootClass } from '#web/ui/use-root-class.ts';
import { useNavigationBlock } from '#web/navigation/use-navigation-block.ts';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { Notice } from '#web/ui/notice.tsx';
import {
  MISSING_RECORDING_MESSAGE,
  MISSING_RECORDING_TITLE_MESSAGE,
  recordingAudioSlot,
} from '#features/recordings/limits.ts';
import { PreviousFeedback, usePreviousFeedback } from './previous-feedback.tsx';
import { useAbandonedTakeOffer } from './abandoned-take-offer.tsx';
import { useTakeLock, useTakeFieldsAutosave } from '#features/recordings/web/use-take-lock.ts';
import { ChosenMelodyWords } from './melody-words.tsx';
import { focusCollapsibleField, TitleAndMessageFields } from './title-and-message-fields.tsx';
import { NO_LIVE_RECORDING } from '#features/recordings/web/recorder/live-recording.ts';
import { SUBMISSION_PURPOSE } from '#features/recordings/web/queue-recording.ts';
import type { RecordingFields } from '#features/recordings/web/commit-take.ts';
import { useSubmissionFields } from './use-submission-fields.ts';
import type { SubmissionProblem } from './submission-state.ts';
import { SubmitBar } from './submit-bar.tsx';
import {
  type SubmitBlocker,
  findSubmitBlocker,
  isRecordingOnlyInMemory,
  isSubmissionHandedOff,
  INITIAL_SUBMIT_FORM_STATE,
  RECORDING_SET_ASIDE_MESSAGE,
  getShownProblems,
  submitFormReducer,
} from './submit-form-state.ts';
import { RecordingBanner } from './recording-banner.tsx';
import { SubmissionConfirmation } from './submission-confirmation.tsx';
import { SUBMISSION_FAILED_MESSAGE } from '#features/recordings/web/submission-messages.ts';
import { useSharedSound } from './use-shared-sound.ts';
import { useSubmission } from './use-submission.ts';
import { Select } from '#web/ui/select.tsx';
import type { MelodySelection } from './use-melody-selection.ts';
import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';
import { formatAttemptName } from '#features/recordings/web/attempt-name.ts';

const TakeLineComparison = createLazyComponent(() => import('../line-by-line/take-line-comparison.tsx'));

const LONG_RECORDING_NOTE =
  'Practice recordings are usually up to 2 minutes. Yours is longer, but you can still send it.';
/** Text that explains what happens to the recording when the student leaves the page. */
const SAVED_SO_FAR =
  'The recording will stop. Everything up to now is saved on this device, so you can send it later.';
const NOT_SAVED_ON_DEVICE =
  'It isn’t saved on this device. If you leave, it will be deleted and can’t be recovered.';

type SubmitFormProps = {
  onAnother: () => void;
  /** Called with the id of the stored take that is in the form or was submitted from it; null if there is none. */
  onTake: (id: string | null) => void;
};

export function SubmitForm({ onAnother, onTake }: SubmitFormProps) {
  const { id: userId } = useUser();
  const fields = useSubmissionFields();
  const shared = useSharedSound(userId);
  const { title, message } = fields;
  const inMind = usePreviousFeedback();
  const [form, dispatch] = useReducer(submitFormReducer, INITIAL_SUBMIT_FORM_STATE);
  const { audio, activity } = form;
  const hasMelody = fields.melody.id !== null;
  // Students who come from a melody see the recorder first. All others first choose what to sing.
  const [beganWithMelody] = useState(hasMelody);
  const [isWide] = useState(() => matchMedia('(min-width: 64rem)').matches);
  const isRecording = isBeingRecorded(activity);
  useRootClass('is-recording', isRecording);
  const [recordAsked, setRecordAsked] = useState(0);
  const [live] = useState(() => createStore(NO_LIVE_RECORDING));
  /** Position in the melody at which the recording starts, in seconds. */
  const [singsFrom, setSingsFrom] = useState(0);
  const titleField = useRef<HTMLInputElement>(null);
  const messageField = useRef<HTMLTextAreaElement>(null);
  const source = useRef<HTMLDivElement>(null);
  /** Releases the offer's lock on an abandoned take. Called once this form has its own lock. */
  const adopted = useRef<(() => void) | null>(null);
  const { state, takeId, submit, cancel, forget } = useSubmission((take, sent) => {
    dispatch({ type: 'returned', take });
    fields.restoreFields(sent);
  });
  const { step } = state;
  const isSending = step === 'sending';
  const hasGone = isSubmissionHandedOff(form, step);
  useNavigationBlock(isRecordingOnlyInMemory(form) && step !== 'done');

  const takeAudio = (next: ChosenAudio | null) => {
    // Deletes the previous take if another recording or file replaces it, or if the student removes it.
    const former = audio?.kept;
    if (former && former.id !== next?.kept?.id) {
      forget();
      void removeTake(former.id);
    }
    dispatch({ type: 'chosen', audio: next });
  };
  const { found, isKnown } = useAbandonedTakeOffer({
    isFormEmpty: audio === null && !isRecording && !isSending,
    onUse: (found, release) => {
      adopted.current = release;
      dispatch({ type: 'found', audio: found });
      if (found.kept?.sending) fields.restoreFields(found.kept.sending as RecordingFields);
    },
  });

  const keptId = audio?.kept?.id ?? null;
  useTakeFieldsAutosave(isSending || hasGone ? null : keptId, fields.sending);
  useTakeLock(keptId, (held) => {
    if (held === null) return;
    adopted.current?.();
    adopted.current = null;
  });
  // The form's stored take. For a chosen file, there is none until the file is submitted.
  const formsTake = keptId ?? takeId;
  useEffect(() => {
    onTake(formsTake);
    dispatch({ type: 'step-reached', step });
  }, [formsTake, step]); // oxlint-disable-line react/exhaustive-deps
  useEffect(() => {
    if (hasGone) fields.clear();
  }, [hasGone]); // oxlint-disable-line react/exhaustive-deps
  useScrollIntoView(source, audio?.origin === 'recorded', isRecording);

  const recordAgain = (from = 0) => {
    flushSync(() => {
      setSingsFrom(from);
      setRecordAsked(recordAsked + 1);
      if (audio?.origin === 'recorded') takeAudio({ ...audio, isSetAside: true });
    });
    focusAudioInput(source.current);
  };

  const send = () => {
    if (isSending || isRecording) return;
    const typed = { title, message };
    dispatch({ type: 'send-pressed', fields: typed });
    const hindrance = findSubmitBlocker(form, typed);
    if (hindrance === null && audio) return void submit(audio, fields.sending);
    const refusal = hindrance && blockerMessages[hindrance];
    if (refusal) toast({ ...refusal, variant: 'destructive' });
    if (hindrance === 'long-message') focusCollapsibleField(messageField.current);
    else if (hindrance === 'no-title' || hindrance === 'long-title')
      focusCollapsibleField(titleField.current);
    else focusAudioInput(source.current);
  };
  const { isWaiting, press } = useSendWhenSettled(activity, audio?.blob ?? null, send);
  if (hasGone) {
    const because =
      state.step !== 'waiting' ? 'sending' : state.because === 'asked-to-wait' ? state : state.because;
    return (
      <SubmissionConfirmation waitsBecause={state.step === 'done' ? null : because} onAnother={onAnother} />
    );
  }

  const { chosen } = fields.melody;
  const sung = chosen?.audioUrl && chosen.textBytes > 0 ? chosen : null;
  const isReady = audio !== null && !audio.isSetAside && !isRecording;
  const problems = getShownProblems(form, { title });
  const reminder = inMind.feedback && <PreviousFeedback feedback={inMind.feedback} />;
  const melodyChoice = (
    <div inert={isSending}>
      <MelodyChoice melody={fields.melody} onChange={fields.chooseMelody} />
    </div>
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    press();
  };

  return (
    <form noValidate onSubmit={onSubmit} className={isKnown ? undefined : 'hidden'}>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        {found && <div className="lg:col-span-2">{found}</div>}
        {shared.problem && !audio && (
          <Notice tone="danger" title={shared.problem.title} isQuiet className="lg:col-span-2">
            {shared.problem.description}
          </Notice>
        )}
        {shared.fromOutside && audio?.blob === shared.fromOutside && (
          <Notice tone="amber" title="This audio came from another website" className="lg:col-span-2">
            Listen to it before you submit it. If you didn’t choose it, remove it.
          </Notice>
        )}
        <div
          className={clsx(
            'flex min-w-0 flex-col',
            isRecording
              ? 'recording-screen fixed inset-0 z-20 bg-ground lg:start-64'
              : ['lg:self-start', hasMelody && !audio && 'max-lg:not-flat:min-h-[85dvh]'],
          )}
        >
          {isRecording && <RecordingBanner live={live} />}
          <div
            className={clsx(
              isRecording
                ? ['flex flex-col gap-2 px-4 pt-2', hasMelody && 'min-h-0 grow']
                : scrollMarginClass,
            )}
          >
            {reminder && (isRecording || !isWide) && (
              <div
                className={clsx(
                  isRecording && 'mx-auto max-h-1/4 w-full max-w-225 shrink-0 overflow-y-auto flat:hidden',
                )}
              >
                {reminder}
              </div>
            )}
            {!beganWithMelody && !isRecording && <div className="mb-5">{melodyChoice}</div>}
            {hasMelody && (
              <ChosenMelodyWords
                melody={fields.melody}
                isHeld={!isWide && inMind.isAwaited}
                isWhole={!audio}
                singing={isRecording ? { live, from: singsFrom } : null}
              />
            )}
          </div>
          <div
            inert={isSending}
            className={clsx(
              isRecording
                ? hasMelody
                  ? activeRecorderClass
                  : centeredRecorderClass
                : ['mt-auto', hasMelody && !audio && idleRecorderClass],
            )}
          >
            <AudioInput
              ref={source}
              layout={hasMelody ? 'bar' : isRecording ? 'low' : 'large'}
              longNote={LONG_RECORDING_NOTE}
              label="Your recording"
              slot={recordingAudioSlot}
              given={shared.sound}
              value={audio}
              onChange={takeAudio}
              onActivityChange={(next) => dispatch({ type: 'activity-changed', activity: next })}
              storeRecording={(name, onProblem) =>
                createRecordingWriter(
                  getTakeStore(),
                  { ...createWavRecording(userId, name), sending: fields.sending },
                  (problem) => {
                    dispatch({ type: 'not-kept' });
                    onProblem(problem);
                  },
                )
              }
              error={problems.audio}
              hasOwnRecordAgain
              onLive={live.set}
              {...{ recordAsked }}
            />
          </div>
          {audio !== null && audio.seconds !== null && sung !== null && (
            <div inert={isSending}>
              <LazyBoundary
                part={TakeLineComparison}
                melodyId={sung.id}
                take={audio}
                isHeld={isSending}
                {...{ isRecording }}
                onRecordAgain={recordAgain}
              />
            </div>
          )}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start">
          <div inert={isSending} className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <TitleAndMessageFields
              {...{ fields, titleField, messageField }}
              titleProblem={problems.title}
              hasRoom={isWide}
            >
              {beganWithMelody && melodyChoice}
            </TitleAndMessageFields>
            <NextAttempt melodyId={fields.melody.id} />
          </div>
          {isWide && !isRecording && reminder}
        </div>
      </div>
      <SubmitBar
        isSending={isSending}
        sent={isSending ? state.sent : 0}
        inspection={isSending ? state.inspection : null}
        {...{ isWaiting }}
        isRecording={activity === 'recording'}
        onCancel={isSending && state.mayCancel ? () => void cancel() : null}
        onRecordAgain={isReady && audio.origin === 'recorded' && !isSending ? () => recordAgain() : null}
        isReady={isReady}
      >
        {state.step === 'filling' && state.problem && <SubmissionFailure problem={state.problem} />}
      </SubmitBar>
      {/* Chosen files still exist, and stored recordings are offered again, so leaving them is safe. */}
      <LeaveGuard
        isActive={isRecording || isRecordingOnlyInMemory(form)}
        sentence="Leave without sending your recording?"
        note={form.isStorageFailing || !isRecording ? NOT_SAVED_ON_DEVICE : SAVED_SO_FAR}
      />
    </form>
  );
}

const blockerMessages: Partial<Record<SubmitBlocker, { title: string; description: string }>> = {
  'no-title': { title: 'Missing Title', description: MISSING_RECORDING_TITLE_MESSAGE },
  'set-aside': { title: 'No new recording yet', description: RECORDING_SET_ASIDE_MESSAGE },
  'no-audio': { title: 'Missing Recording', description: MISSING_RECORDING_MESSAGE },
};

/**
 * CSS classes of the recorder until there is a recording. On a phone, the recorder is at the bottom of the
 * screen, below the words, and stays there when recording starts.
 */
const idleRecorderClass =
  'z-10 bg-ground max-lg:not-flat:sticky max-lg:not-flat:bottom-0 max-lg:max-h-[75dvh] max-lg:overflow-y-auto max-lg:-mx-4 max-lg:px-4 sm:max-lg:-mx-6 sm:max-lg:px-6 max-lg:pb-3 max-lg:border-t max-lg:border-edge max-lg:pt-3';

/** Scroll margin that keeps the recorder from covering a focused element. */
const scrollMarginClass = 'max-lg:[&_:is(a,button,summary,select)]:scroll-mb-72';

/** CSS classes of the recorder while it records. It is below the words, which fill the screen. */
const activeRecorderClass =
  'mx-auto w-full max-w-225 max-h-[60%] shrink-0 overflow-y-auto border-t border-edge px-4 pb-3 [&_[role=tablist]]:hidden [&_[role=tabpanel]>*]:pt-3';

/** CSS classes of the recorder while it records without words. It is in the middle of the screen. */
const centeredRecorderClass =
  'm-auto max-h-full w-full max-w-xl overflow-y-auto px-4 pb-3 [&_[role=tablist]]:hidden';

function SubmissionFailure({ problem }: { problem: SubmissionProblem }) {
  return problem.is === 'refused' ? (
    <Notice tone="danger" title={SUBMISSION_FAILED_MESSAGE}>
      <p>{problem.reason}</p>
      <p>Your recording and what you wrote are still here.</p>
    </Notice>
  ) : (
    <Notice
      tone="amber"
      title={problem.mayHaveArrived ? 'Your teacher may already have it' : 'It hasn’t been sent'}
    >
      <p>
        This recording was deleted in another window, but it’s still here. You can submit it now.
        {problem.mayHaveArrived && ' If your teacher already has it, it won’t be sent twice.'}
      </p>
    </Notice>
  );
}

const createWavRecording = (userId: string, name: string): NewStoredRecording => ({
  userId,
  purpose: SUBMISSION_PURPOSE,
  origin: 'recorded',
  name,
  type: 'audio/wav',
});

/** Scrolls the recorder into view after a recording, when the sung text collapses and everything moves. */
function useScrollIntoView(source: RefObject<HTMLElement | null>, isRecorded: boolean, isRecording: boolean) {
  const wasRecording = useRef(false);
  useEffect(() => {
    if (isRecorded || (wasRecording.current && !isRecording))
      source.current?.scrollIntoView({ block: 'nearest' });
    wasRecording.current = isRecording;
  }, [source, isRecorded, isRecording]);
}

type MelodyChoiceProps = { melody: MelodySelection; onChange: (id: number | null) => void };

function MelodyChoice({ melody: { id, library }, onChange }: MelodyChoiceProps) {
  const isHere = typeof library !== 'string';
  return (
    <Select
      label="Melody"
      isOptional
      value={id === null ? '' : String(id)}
      onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
      hint={
        library === 'missing' ? getLibraryFailureMessage(id !== null) : 'You’ll see its words while you sing.'
      }
    >
      <option value="">
        {library === 'loading' && id === null ? 'Loading...' : 'No melody from the library'}
      </option>
      {isHere
        ? library.map((melody) => (
            <option key={melody.id} value={melody.id}>
              {melody.title}
            </option>
          ))
        : id !== null && (
            <option value={id}>
              {library === 'loading' ? 'Loading...' : 'The melody you were practising'}
            </option>
          )}
    </Select>
  );
}

const getLibraryFailureMessage = (isChosen: boolean) =>
  `We couldn’t load the library. ${isChosen ? 'Your recording will still belong to this melody.' : 'You can still record.'}`;

/** Shows 'Your second recording of this melody', for example; nothing for a first recording. */
function NextAttempt({ melodyId }: { melodyId: number | null }) {
  const { data } = useQuery({
    ...createApiQuery('GET /api/student/recordings/count', { query: { melodyId: melodyId ?? 0 } }),
    enabled: melodyId !== null,
  });
  if (melodyId === null) return null;
  return (
    // Reserves the line's height while the count loads.
    <p className="min-h-6 text-sm font-semibold text-saffron-ink">
      {data && data.count > 0 && `Your ${formatAttemptName(data.count + 1).toLowerCase()} of this melody`}
    </p>
  );
}
