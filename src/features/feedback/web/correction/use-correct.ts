import { useMutation } from '@tanstack/react-query';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { call } from '#web/api/call.ts';
import { refresh } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import { useUpload } from '#web/uploads/use-upload.ts';
import { toSend } from '#features/feedback/marks.ts';
import type { ChosenFile } from '#web/uploads/page-upload.ts';
import { spokenFile } from '../spoken-file.ts';
import type { Written } from '../draft/draft.ts';

export const CORRECT_FAILED = 'Failed to correct feedback. Please try again.';

export type Correction = Written & {
  /** Replaces the spoken part; null leaves it. */
  audio: ChosenAudio | null;
  /** The voices of marks that are new. */
  voices: readonly ChosenFile[];
  isAudioRemoved: boolean;
  /** When the feedback had last been corrected before this correction; '' for never. */
  basedOn: string;
};

export function useCorrect(feedbackId: number, onDone: () => void) {
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
      // Corrected meanwhile: the form shows the newer feedback after the refresh.
      if (error.status === 409) refresh(['/api/admin/feedback']);
      if (!upload.wasStopped()) toast({ title: CORRECT_FAILED, variant: 'destructive' });
    },
  });
  return { ...correcting, error: upload.wasStopped() ? null : correcting.error, upload };
}
