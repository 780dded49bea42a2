import { Check } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { AudioPlayer } from '../../../platform/web/audio-ui/audio-player.tsx';
import { audioFileUrl } from '../../../platform/web/audio-ui/media-url.ts';
import { useSettings } from '../../../platform/web/page-data.ts';
import { Badge } from '../../../platform/web/ui/badge.tsx';
import { Button, ButtonLink } from '../../../platform/web/ui/button.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';
import { langOf } from '../../melodies/web/tibetan.ts';
import { practiceAgain } from '../../recordings/web/practice-again.ts';
import { StudentMessage } from '../../recordings/web/student-message.tsx';
import type { Feedback } from '../contract.ts';
import { useMarkIntegrated, useMarkRead } from './feedback-status.ts';
import { useSeen } from './use-seen.ts';

export function StudentFeedbackCard({ feedback }: { feedback: Feedback }) {
  const { id, recording, writtenFeedback, audioFeedbackUrl, status, createdAt, correctedAt } = feedback;
  const { teacherTitle } = useSettings();
  const card = useRef<HTMLDivElement>(null);
  // It stays new until one leaves, also when it counts as read.
  const [isNew] = useState(status === 'unread');
  const markRead = useMarkRead(id);
  useSeen(card, status === 'unread', markRead);

  return (
    <Card ref={card} as="article" aria-labelledby={`feedback-${id}`} className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 {...langOf(recording.title)} id={`feedback-${id}`} className="text-lg">
            {recording.title}
          </h2>
          <p className="text-sm text-soft">
            {teacherTitle} answered <TimeAgo time={createdAt} />
            {correctedAt && (
              <>
                , corrected <TimeAgo time={correctedAt} />
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {isNew && status !== 'integrated' && <Badge tone="new">New</Badge>}
          {status === 'integrated' && <Badge tone="info">Integrated</Badge>}
          <Badge tone="done">Reviewed</Badge>
        </div>
      </div>
      {writtenFeedback && (
        <Part title="Written feedback">
          <p {...langOf(writtenFeedback)} className="measure font-serif whitespace-pre-line">
            {writtenFeedback}
          </p>
        </Part>
      )}
      {audioFeedbackUrl && (
        <Part title="Audio response">
          <AudioPlayer
            src={audioFileUrl(audioFeedbackUrl)}
            title={`Audio response to ${recording.title}`}
            duration={feedback.audioFeedbackDuration}
            peaks={feedback.peaks}
            id={`reply-${id}`}
          />
        </Part>
      )}
      <Part title="Your recording">
        {recording.message && <StudentMessage message={recording.message} />}
        <AudioPlayer
          src={audioFileUrl(recording.audioUrl)}
          title={`Your recording of ${recording.title}`}
          duration={recording.duration}
          peaks={recording.peaks}
          id={recording.id}
        />
      </Part>
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink href={practiceAgain(recording.melodyId)}>Practice Again</ButtonLink>
        <Integration feedback={feedback} />
      </div>
    </Card>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-2.5">
    <h3 className="text-sm font-semibold text-soft">{title}</h3>
    {children}
  </section>
);

function Integration({ feedback: { id, status } }: { feedback: Feedback }) {
  const mark = useMarkIntegrated(id);
  if (status === 'integrated')
    return (
      <p role="status" className="flex min-h-12 items-center gap-2 text-sm text-jade-ink">
        <Check aria-hidden="true" className="size-5" />
        Marked as integrated
      </p>
    );
  return (
    <div>
      <Button
        variant="primary"
        icon={<Check aria-hidden="true" />}
        busy={mark.isPending}
        onClick={() => mark.mutate()}
        className="max-sm:w-full"
      >
        Mark as Integrated
      </Button>
      {mark.isError && (
        <p role="alert" className="mt-2 text-sm font-semibold text-danger">
          Failed to update feedback status.
        </p>
      )}
    </div>
  );
}
