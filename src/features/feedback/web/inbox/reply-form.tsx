import { Send } from 'lucide-react';
import { type FormEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { FAULT, sentenceOf } from '../../../../platform/web/call.ts';
import { useSettledPress } from '../../../../platform/web/audio-ui/sound-activity.ts';
import { OTHER_USER_SENDS } from '../../../../platform/contract/expected-user.ts';
import { toast } from '../../../../platform/web/toasts.ts';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import { UploadStatus } from '../../../../platform/web/uploads/upload-status.tsx';
import { MISSING_FEEDBACK } from '../../limits.ts';
import { saysSomething } from '../../marks.ts';
import { AnswerFields } from '../answer-fields.tsx';
import { isNothing, type Written } from '../draft/draft.ts';
import { recordLabel } from '../spoken-source.tsx';
import { focusWhatIsWrong, isTooLongToSend } from '../too-long.ts';
import { withLines, type TimedLine } from '../marks/mark-lines.ts';
import type { DraftTrouble, useReplyDraft } from '../draft/use-reply-draft.ts';
import { SEND_FAILED, type useSendReply } from './use-send-reply.ts';
import type { useAudioReply } from '../use-audio-reply.ts';

const STOP_FIRST = 'Stop the recording first, then send your feedback.';
const CHOOSE_FIRST =
  'Your recording is set aside for a new one. Record again or press “Keep the recording I have”, then send your feedback.';

/** Actions of the inbox's shortcuts in a form. */
export type ReplyKeys = { send(): void; record(): void; write(): void };

type ReplyFormProps = {
  draft: ReturnType<typeof useReplyDraft>;
  /** Lines of the melody, for the marks. */
  lines: readonly TimedLine[];
  spoken: ReturnType<typeof useAudioReply>;
  sending: ReturnType<typeof useSendReply>;
  /** Called once the reply has been sent. */
  onSent: () => void;
  /** The next card's student; null when this is the last one. */
  next: string | null;
  ref?: Ref<ReplyKeys>;
};

/** The reply to one recording, written, spoken or both. Nothing of it is lost before it has been sent. */
export function ReplyForm({ draft, lines, spoken, sending, onSent, next, ref }: ReplyFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const { written } = draft;
  const { audio, isRecording } = spoken;
  const isEmpty = !saysSomething(written) && !audio;

  const send = async () => {
    setHasTried(isRecording);
    if (sending.isPending || isRecording) return;
    setIsMissing(isEmpty);
    if (isEmpty) {
      form.current?.querySelector('textarea')?.focus();
      toast({ title: 'Missing Feedback', description: MISSING_FEEDBACK, variant: 'destructive' });
      return;
    }
    if (isTooLongToSend(written)) return focusWhatIsWrong(form.current);
    await draft.pause();
    if (await sending.send({ ...written, marks: withLines(written.marks, lines), audio })) onSent();
    else draft.resume();
  };
  const { isWaiting, press } = useSettledPress(spoken.activity, audio?.blob ?? null, () => void send());
  useImperativeHandle(ref, () => ({
    send: press,
    write: () => form.current?.querySelector('textarea')?.focus(),
    record() {
      const press = form.current?.querySelectorAll<HTMLButtonElement>('[data-audio-source] button');
      [...(press ?? [])].find((button) => RECORD_KEYS.has(nameOf(button)))?.click();
    },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    press();
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4">
      <AnswerFields
        {...{ written, spoken }}
        onText={(text) => draft.change({ text })}
        onBlur={draft.flush}
        isReadOnly={sending.isPending}
        error={isMissing && isEmpty ? MISSING_FEEDBACK : null}
        actions={
          <Button
            type="submit"
            variant="primary"
            busy={sending.isPending || isWaiting}
            icon={<Send aria-hidden="true" />}
            className="self-end"
          >
            Send Feedback
          </Button>
        }
      />
      <div className="flex flex-wrap justify-between gap-x-4 text-sm text-soft">
        <p>{SAVED[isNothing(written) ? 'none' : draft.saved]}</p>
        {next && <p className="min-w-0 break-words sm:text-end">Sending leads on to {next}.</p>}
      </div>
      {draft.trouble && !sending.error && (
        <Notice tone="amber">{troubleSentence(draft.trouble, written)}</Notice>
      )}
      {isRecording && hasTried && (
        <Notice tone="amber">{spoken.isSetAside ? CHOOSE_FIRST : STOP_FIRST}</Notice>
      )}
      {sending.error && (
        <Notice tone="danger" title={SEND_FAILED}>
          {sentenceOf(sending.error, 'The server did not say why.')} Your reply is still here.
        </Notice>
      )}
      {sending.upload.state.step === 'stopped' && (
        <Notice>Sending was stopped. Your reply is still here, and was not sent.</Notice>
      )}
      {sending.isPending && audio && (
        <UploadStatus state={sending.upload.state} onStop={sending.upload.stop} />
      )}
    </form>
  );
}

function troubleSentence(trouble: DraftTrouble, written: Written) {
  if (trouble.is === 'somebody else') return OTHER_USER_SENDS;
  if (trouble.is === 'fault') return `${FAULT} Until then this draft stays on this device.`;
  if (isTooLongToSend(written)) return TOO_LONG_TO_KEEP;
  return `The server does not take this draft as it is, so it stays on this device. It says: ${trouble.reason}`;
}

const TOO_LONG_TO_KEEP =
  'This draft is too long for the server, so it stays on this device until it is shorter.';

const SAVED = { none: '', device: 'Draft kept on this device', server: 'Draft saved' };

/** Names of the buttons behind the record shortcut: the same key starts and stops a recording. */
const RECORD_KEYS = new Set([recordLabel('Audio response'), 'Start recording', 'Stop recording']);

const nameOf = (button: HTMLButtonElement) => button.getAttribute('aria-label') ?? button.textContent.trim();
