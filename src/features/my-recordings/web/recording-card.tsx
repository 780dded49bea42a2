import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { usePageSettings } from '#web/api/page-data.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink, Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatDuration, formatDurationInWords } from '#web/ui/format-duration.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { getFeedbackUrl } from '#features/feedback/web/feedback-url.ts';
import { YourAttempts } from '#features/feedback/web/your-attempts.tsx';
import { RecordingLinesSection } from './line-by-line/recording-lines-section.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import { formatAttemptName } from '#features/recordings/web/attempt-name.ts';
import { getPracticeAgainPath } from '#features/recordings/web/practice-paths.ts';
import { StudentMessage } from '#features/recordings/web/student-message.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';

export function RecordingCard({ recording }: { recording: Recording }) {
  const { id, title, message, status, createdAt, audioUrl, peaks, melodyId, attempt } = recording;
  const { teacherTitle } = usePageSettings();
  const isReviewed = status === 'reviewed';
  return (
    <Card as="article" aria-labelledby={`recording-${id}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 {...getLangProps(title)} id={`recording-${id}`} className="text-lg">
            {title}
          </h2>
          <p className="text-sm text-soft">
            {attempt !== null && `${formatAttemptName(attempt)} · `}
            Submitted <TimeAgo time={createdAt} /> ·{' '}
            <span aria-hidden="true">{formatDuration(recording.duration)}</span>
            <span className="sr-only">{formatDurationInWords(recording.duration)}</span>
          </p>
        </div>
        <Badge tone={isReviewed ? 'done' : 'waiting'}>{isReviewed ? 'Reviewed' : 'Pending'}</Badge>
      </div>
      {message && <StudentMessage message={message} />}
      <AudioPlayer
        sound={{ name: audioUrl, copies: recording.audioCopies }}
        title={title}
        duration={recording.duration}
        peaks={peaks}
        id={id}
      />
      <RecordingLinesSection recording={recording} />
      {attempt !== null && attempt > 1 && <YourAttempts recordingId={id} />}
      {!isReviewed && <p className="text-sm text-soft">{teacherTitle} hasn’t replied yet.</p>}
      <div className="flex flex-col gap-3 sm:flex-row">
        {isReviewed && (
          <ButtonLink href={getFeedbackUrl(id)} variant="primary">
            View Feedback
          </ButtonLink>
        )}
        <ButtonLink href={getPracticeAgainPath(melodyId, id)}>Practice Again</ButtonLink>
        {!isReviewed && <WithdrawButton recording={recording} />}
      </div>
    </Card>
  );
}

/** Button that withdraws an unanswered recording after confirmation. */
function WithdrawButton({ recording: { id, title } }: { recording: Pick<Recording, 'id' | 'title'> }) {
  const { teacherTitle } = usePageSettings();
  const [isAsking, setIsAsking] = useState(false);
  const withdrawal = useMutation({
    mutationFn: () => callApi('DELETE /api/recordings/{id}', { params: { id } }),
    meta: { refreshes: ['/api/student/recordings', '/api/recordings'] },
    onSuccess: () => toast({ title: 'Recording taken back' }),
    onError(error) {
      const isAnswered = error.status === 409;
      toast({
        title: isAnswered ? `${teacherTitle} has already replied` : 'Couldn’t take the recording back',
        description: isAnswered
          ? `Your recording stays. You’ll find the feedback under View Feedback.`
          : getErrorMessage(error, 'Please try again.'),
        variant: 'destructive',
      });
      if (isAnswered || error.status === 404)
        refreshQueries(['/api/student/recordings', '/api/recordings', '/api/feedback']);
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <>
      <Button variant="quiet" aria-label={`Take back ${title}`} onClick={() => setIsAsking(true)}>
        Take back
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Take back this recording?"
        note={`It will be deleted and can’t be recovered. ${teacherTitle} won’t hear it.`}
        confirmLabel="Take back"
        cancelLabel="Keep it"
        isDangerous
        busy={withdrawal.isPending}
        onConfirm={() => withdrawal.mutate()}
      />
    </>
  );
}
