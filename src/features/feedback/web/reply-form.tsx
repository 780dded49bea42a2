import { Send } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { AudioSource, type ChosenAudio } from '../../../platform/web/audio-ui/audio-source.tsx';
import { useUser } from '../../../platform/web/session.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { TextArea } from '../../../platform/web/ui/field.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { keepText, keptText } from '../../../platform/web/kept-text.ts';
import { UploadProgress } from '../../../platform/web/ui/upload-progress.tsx';
import { useWarningBeforeLeaving } from '../../../platform/web/warning-before-leaving.ts';
import { feedbackAudioSlot, MISSING_FEEDBACK, WRITTEN_FEEDBACK_MAX } from '../limits.ts';
import { ReplyFailure } from './reply-failure.tsx';
import { useSendReply } from './use-send-reply.ts';

const STOP_FIRST = 'Stop the recording first, then send your feedback.';

/** The answer to one recording, in writing, in voice or both. What is typed is kept until it has been sent. */
export function ReplyForm({ recordingId }: { recordingId: number }) {
  const userId = useUser().id;
  const draft = `reply ${recordingId}`;
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(() => keptText(userId, draft));
  const [audio, setAudio] = useState<ChosenAudio | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const [isRecording, setIsRecording] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const sending = useSendReply(recordingId, () => keepText(userId, draft, ''));
  useWarningBeforeLeaving(audio !== null || isRecording || sending.isPending);

  const type = (typed: string) => {
    setText(typed);
    setIsMissing(false);
    keepText(userId, draft, typed);
  };
  const choose = (chosen: ChosenAudio | null) => {
    setAudio(chosen);
    setIsMissing(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setHasTried(isRecording);
    if (sending.isPending || isRecording) return;
    if (text.trim() !== '' || audio) return sending.mutate({ text, audio });
    setIsMissing(true);
    form.current?.querySelector('textarea')?.focus();
    toast({ title: 'Missing Feedback', description: MISSING_FEEDBACK, variant: 'destructive' });
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4">
      <TextArea
        label="Written feedback"
        name="writtenFeedback"
        rows={4}
        maxLength={WRITTEN_FEEDBACK_MAX}
        value={text}
        readOnly={sending.isPending}
        onChange={(event) => type(event.target.value)}
        error={isMissing ? MISSING_FEEDBACK : null}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <AudioSource
          compact
          label="Audio response"
          slot={feedbackAudioSlot}
          value={audio}
          onChange={choose}
          onRecordingChange={setIsRecording}
        />
        <Button type="submit" variant="primary" busy={sending.isPending} icon={<Send aria-hidden="true" />}>
          Send Feedback
        </Button>
      </div>
      {isRecording && hasTried && <Notice tone="amber">{STOP_FIRST}</Notice>}
      {sending.isError && <ReplyFailure error={sending.error} />}
      {sending.isPending && audio && <UploadProgress fraction={sending.fraction} />}
    </form>
  );
}
