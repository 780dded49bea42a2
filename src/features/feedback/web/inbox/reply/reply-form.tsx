import { explainError } from '#web/ui/sentences.ts';
import { Clock, Send } from 'lucide-react';
import { type FormEvent, type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { UNEXPECTED_ERROR_MESSAGE } from '#web/api/call.ts';
import { useSendWhenSettled } from '#web/audio-ui/sound-activity.ts';
import { WRONG_USER_ON_WRITE_MESSAGE } from '#shared/expected-user.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { UploadStatus } from '#web/uploads/upload-status.tsx';
import { formatDisplayName } from '#web/api/session.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { openPhraseList } from '#features/feedback/phrases/web/phrase-text-area.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import { MISSING_FEEDBACK_MESSAGE } from '#features/feedback/limits.ts';
import { hasTextOrSendableMark } from '#features/feedback/marks.ts';
import { SpokenFeedbackField, WrittenFeedbackField } from '#features/feedback/web/reply-fields.tsx';
import { isEmptyReply, type WrittenReply } from '#features/feedback/web/draft/written-reply.ts';
import { getRecordButtonLabel } from '#features/feedback/web/spoken-feedback-input.tsx';
import { focusFirstInvalidReplyField, isTooLongToSend } from '#features/feedback/web/reply-validation.ts';
import { addMelodyTimes, type TimedLine } from '#features/feedback/web/marks/mark-lines.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import type { DraftProblem, useReplyDraft } from '#features/feedback/web/draft/use-reply-draft.ts';
import { describeVoicesElsewhere, type MarkVoices } from '#features/feedback/web/voices/use-mark-voices.ts';
import { KeyHint } from '../keys/key-hint.tsx';
import { getSendFailureTitle, type useSendReply } from './use-send-reply.ts';
import type { useAudioReply } from '#features/feedback/web/use-audio-reply.ts';

const STOP_FIRST = 'Stop the recording first, then send your feedback.';
const CHOOSE_FIRST =
  'You started to replace your recording. Record again or press “Keep my recording”, then send your feedback.';

/** Actions that the inbox's shortcuts trigger in a form. */
export type ReplyFormActions = { send(): void; record(): void; focusText(): void; showPhraseList(): void };

type ReplyFormProps = {
  recording: Recording;
  draft: ReturnType<typeof useReplyDraft>;
  /** Lines of the melody, for the marks. */
  lines: readonly TimedLine[];
  /** Lines found in the recording. */
  sung: readonly SungPassage[];
  spoken: ReturnType<typeof useAudioReply>;
  voices: MarkVoices;
  sending: ReturnType<typeof useSendReply>;
  onSent: () => void;
  /**
   * The recording of the next card, or of the previous card if this is the last; null if this is the only card.
   */
  next: Recording | null;
  /** Button that opens the list of recordings, at the beginning of the bar. */
  list: ReactNode;
  onSnooze: () => void;
  /** Content above the spoken part. On wide screens, both scroll together. */
  children: ReactNode;
  ref?: Ref<ReplyFormActions>;
};

/** Form for the written and spoken reply to one recording. Keeps everything until it has been sent. */
export function ReplyForm({
  recording,
  draft,
  lines,
  sung,
  spoken,
  voices,
  sending,
  onSent,
  next,
  list,
  onSnooze,
  children,
  ref,
}: ReplyFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const [isMissingVoice, setIsMissingVoice] = useState(false);
  const { written } = draft;
  const { audio } = spoken;
  const isRecording = spoken.isRecording || voices.isOn;
  const isEmpty = !hasTextOrSendableMark(written) && !audio;

  const send = async () => {
    setHasTried(isRecording);
    if (sending.isPending || isRecording) return;
    setIsMissing(isEmpty);
    if (isEmpty) {
      form.current?.querySelector('textarea')?.focus();
      toast({ title: 'Missing Feedback', description: MISSING_FEEDBACK_MESSAGE, variant: 'destructive' });
      return;
    }
    if (isTooLongToSend(written)) return focusFirstInvalidReplyField(form.current);
    setIsMissingVoice(voices.marksWithVoiceElsewhere.length > 0);
    if (voices.marksWithVoiceElsewhere.length > 0) return;
    await draft.pause();
    // Reads the latest draft, to include what was typed during the last save.
    const { text, marks } = draft.latest();
    const reply = { text, marks: addMelodyTimes(marks, lines, sung), audio, voices: voices.files };
    if (await sending.send(reply)) onSent();
    else draft.resume();
  };
  const afterVoice = useSendWhenSettled(voices.activity, voices.newestBlob, () => void send());
  const afterReply = useSendWhenSettled(spoken.activity, audio?.blob ?? null, afterVoice.press);
  const { press } = afterReply;
  const isWaiting = afterReply.isWaiting || afterVoice.isWaiting;
  const middle = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    send: press,
    focusText: () => form.current?.querySelector('textarea')?.focus(),
    showPhraseList() {
      const text = form.current?.querySelector('textarea');
      if (text) openPhraseList(text);
    },
    record() {
      const press = middle.current?.querySelectorAll<HTMLButtonElement>('[data-audio-source] button');
      [...(press ?? [])].find((button) => RECORD_BUTTON_NAMES.has(getButtonName(button)))?.click();
    },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    press();
  };

  return (
    <>
      <div
        ref={middle}
        className="contents desk:relative desk:grid desk:min-h-24 desk:flex-1 desk:grid-cols-[minmax(0,1fr)] desk:content-start desk:gap-3 desk:overflow-y-auto desk:*:scroll-my-1 desk:max-xl:has-[[data-mark]]:min-h-44"
      >
        {children}
        <SpokenFeedbackField {...{ written, spoken }} />
      </div>
      <form ref={form} noValidate onSubmit={submit} className={footerClasses}>
        <WrittenFeedbackField
          {...{ recording, written }}
          rows={3}
          onText={(text) => draft.change({ text })}
          onBlur={draft.flush}
          isReadOnly={sending.isPending}
          error={isMissing && isEmpty ? MISSING_FEEDBACK_MESSAGE : null}
          className="desk:[&_textarea]:h-[clamp(4.75rem,11dvh,9rem)]"
        />
        {draft.problem && !sending.error && (
          <Notice tone="amber">{describeDraftProblem(draft.problem, written)}</Notice>
        )}
        {isRecording && hasTried && (
          <Notice tone="amber">{spoken.isSetAside ? CHOOSE_FIRST : STOP_FIRST}</Notice>
        )}
        {isMissingVoice && voices.marksWithVoiceElsewhere.length > 0 && (
          <Notice tone="amber">{describeVoicesElsewhere(voices.marksWithVoiceElsewhere)}</Notice>
        )}
        {sending.error && (
          <Notice tone="danger" title={getSendFailureTitle(sending.error)}>
            {explainError(sending.error, 'Something went wrong.', 'Your feedback is still here.')}
          </Notice>
        )}
        {sending.upload.state.step === 'stopped' && (
          <Notice>Sending was stopped. Your feedback wasn’t sent and is still here.</Notice>
        )}
        {sending.isPending && (audio || voices.files.length > 0) && (
          <UploadStatus state={sending.upload.state} onStop={sending.upload.stop} />
        )}
        <div className={barClasses}>
          {list}
          <Button variant="quiet" icon={<Clock />} onClick={onSnooze} className="shrink-0">
            <span className="max-sm:sr-only desk:max-xl:sr-only">Snooze</span>
            <span className="max-xl:hidden">
              <KeyHint>A</KeyHint>
            </span>
          </Button>
          <div className="flex min-w-0 grow items-center justify-between gap-4 text-sm leading-snug text-soft max-sm:order-first max-sm:basis-full">
            <p className="peer min-w-0">
              {SAVE_STATE_TEXT[isEmptyReply(written) ? 'none' : draft.saveState]}
            </p>
            {next && <NextRecording recording={next} />}
          </div>
          <Button
            type="submit"
            variant="primary"
            busy={sending.isPending || isWaiting}
            icon={<Send />}
            className="max-sm:grow max-sm:px-2 sm:shrink-0"
          >
            Send Feedback
          </Button>
        </div>
      </form>
    </>
  );
}

/** On wide screens, the whole footer stays visible. On narrower screens, at most its bar does. */
const footerClasses =
  'contents desk:sticky desk:shrink-0 desk:bottom-0 desk:z-10 desk:grid desk:grid-cols-[minmax(0,1fr)] desk:gap-2 desk:bg-surface';

const barClasses =
  'sticky bottom-0 z-10 -mx-4 -mb-4 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-b-lg border-t border-line bg-surface px-4 py-3 sm:-mx-6 sm:-mb-6 sm:flex-nowrap sm:gap-4 sm:px-6 [@media(max-width:40rem)_and_(max-height:40rem)]:static desk:static desk:-mb-4 desk:py-2';

const NextRecording = ({ recording: { title, student } }: { recording: Recording }) => (
  <p className="min-w-0 max-sm:peer-[:not(:empty)]:hidden sm:text-end desk:max-xl:hidden">
    <span className="block truncate">
      Next: <bdi>{formatDisplayName(student)}</bdi>
    </span>
    <span {...getLangProps(title)} className="block truncate max-sm:hidden">
      {title}
    </span>
  </p>
);

function describeDraftProblem(trouble: DraftProblem, written: WrittenReply) {
  if (trouble.is === 'somebody else') return WRONG_USER_ON_WRITE_MESSAGE;
  if (trouble.is === 'fault')
    return `${UNEXPECTED_ERROR_MESSAGE} Until then, your draft is only on this device.`;
  if (isTooLongToSend(written)) return TOO_LONG_TO_SAVE;
  return `Your draft couldn’t be saved online, so it’s only on this device. Reason: ${trouble.reason}`;
}

const TOO_LONG_TO_SAVE =
  'This draft is too long to save online. It stays on this device until you shorten it.';

const SAVE_STATE_TEXT = { none: '', device: 'Draft saved on this device', server: 'Draft saved' };

/** Names of the buttons that the record shortcut presses. The same key starts and stops a recording. */
const RECORD_BUTTON_NAMES = new Set([
  getRecordButtonLabel('Audio response'),
  'Start recording',
  'Stop recording',
]);

const getButtonName = (button: HTMLButtonElement) =>
  button.getAttribute('aria-label') ?? button.textContent.trim();
