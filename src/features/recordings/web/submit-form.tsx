import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import {
  AudioSource,
  type ChosenAudio,
  focusAudioSource,
} from '../../../platform/web/audio-ui/audio-source.tsx';
import { call, sentenceOf } from '../../../platform/web/call.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { TextArea, TextField } from '../../../platform/web/ui/field.tsx';
import { LeaveGuard } from '../../../platform/web/ui/leave-guard.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { RECORDING_MESSAGE_MAX, RECORDING_TITLE_MAX, recordingAudioSlot } from '../limits.ts';
import { clientIdOf } from './client-id.ts';
import { MelodyChoice, MelodyWords, useChosenMelody } from './melody-choice.tsx';
import { SubmitBar } from './submit-bar.tsx';
import { SUBMITTED } from './submitted.tsx';

const MISSING_TITLE = 'Please provide a title for your recording.';
const MISSING_RECORDING = 'Please record or upload an audio file.';
const FAILED = 'Failed to submit recording. Please try again.';

type Problems = { title?: string; audio?: string };

export function SubmitForm({ onDone }: { onDone: () => void }) {
  const [melody, chooseMelody] = useChosenMelody();
  const [typedTitle, setTypedTitle] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const [audio, setAudio] = useState<ChosenAudio | null>(null);
  const [isRecording, setIsRecording] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [sent, setSent] = useState(0);
  const titleField = useRef<HTMLInputElement>(null);
  const source = useRef<HTMLDivElement>(null);
  const title = typedTitle ?? melody?.title ?? '';

  const submission = useMutation({
    mutationFn: ({ blob, name, peaks }: ChosenAudio) =>
      call('POST /api/recordings', {
        form: {
          title: title.trim(),
          message: message.trim() || undefined,
          melodyId: melody?.id,
          clientId: clientIdOf(blob),
          peaks: peaks ?? undefined,
          audio: { blob, name },
        },
        onProgress: setSent,
      }),
    meta: { refreshes: ['/api/student/recordings'] },
    onMutate: () => setSent(0),
    onSuccess: () => {
      toast({ title: SUBMITTED });
      onDone();
    },
    onError: () => toast({ title: 'Error', description: FAILED, variant: 'destructive' }),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (submission.isPending || isRecording) return;
    setProblems({
      ...(title.trim() === '' ? { title: MISSING_TITLE } : {}),
      ...(audio === null ? { audio: MISSING_RECORDING } : {}),
    });
    if (title.trim() === '') {
      toast({ title: 'Missing Title', description: MISSING_TITLE, variant: 'destructive' });
      titleField.current?.focus();
    } else if (audio === null) {
      toast({ title: 'Missing Recording', description: MISSING_RECORDING, variant: 'destructive' });
      focusAudioSource(source.current);
    } else submission.mutate(audio);
  };

  return (
    <form
      noValidate
      onSubmit={submit}
      className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
    >
      <div className="grid content-start gap-5">
        <MelodyChoice value={melody} onChange={chooseMelody} />
        <TextField
          ref={titleField}
          label="Title"
          aria-required
          maxLength={RECORDING_TITLE_MAX}
          autoComplete="off"
          value={title}
          onChange={(event) => setTypedTitle(event.target.value)}
          error={title.trim() === '' ? problems.title : undefined}
        />
        <TextArea
          label="Message"
          isOptional
          rows={3}
          maxLength={RECORDING_MESSAGE_MAX}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          hint="Anything you would like the teacher to know or to listen for."
        />
      </div>
      <div className="min-w-0">
        <MelodyWords melody={melody} />
        <AudioSource
          ref={source}
          label="Your recording"
          slot={recordingAudioSlot}
          value={audio}
          onChange={setAudio}
          onRecordingChange={setIsRecording}
          error={audio === null && !isRecording ? problems.audio : undefined}
        />
        {submission.isError && (
          <Notice tone="danger" title={FAILED} className="mt-5">
            <p>{sentenceOf(submission.error, 'Something went wrong on the way.')}</p>
            <p>Your recording and what you wrote are still here.</p>
          </Notice>
        )}
        <SubmitBar isSending={submission.isPending} sent={sent} isRecording={isRecording} />
      </div>
      <LeaveGuard
        isActive={audio !== null || isRecording}
        sentence="Leave without sending your recording?"
        note="It has not been submitted and would be gone."
      />
    </form>
  );
}
