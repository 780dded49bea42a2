import { useId } from 'react';
import { AudioPlayer } from '../../../platform/web/audio-ui/audio-player.tsx';
import { audioFileUrl } from '../../../platform/web/audio-ui/media-url.ts';
import { displayName } from '../../../platform/web/session.ts';
import { Badge, type BadgeTone } from '../../../platform/web/ui/badge.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';
import type { Feedback, FeedbackStatus } from '../contract.ts';
import { StudentMessage } from '../../recordings/web/student-message.tsx';

/** One reply that was given, with the recording it answers. */
export function GivenFeedbackCard({ feedback }: { feedback: Feedback }) {
  const { recording, writtenFeedback, audioFeedbackUrl, status } = feedback;
  const headingId = useId();
  const name = displayName(recording.student);
  const { word, tone, note } = STATES[status];
  return (
    <Card as="article" aria-labelledby={headingId} className="min-w-0">
      <h2 id={headingId} className="text-2xl break-words">
        {recording.title}
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <Badge tone={tone}>{word}</Badge>
        <span className="min-w-0 font-semibold break-words text-ink">{name}</span>
        <span>
          answered <TimeAgo time={feedback.createdAt} />
        </span>
      </p>
      {recording.message && (
        <div className="mt-4">
          <StudentMessage message={recording.message} />
        </div>
      )}
      <h3 className="mt-5 mb-2 font-sans text-sm font-semibold">Student recording</h3>
      <AudioPlayer
        id={recording.id}
        src={audioFileUrl(recording.audioUrl)}
        title={`Recording: ${recording.title}, ${name}`}
        duration={recording.duration}
        peaks={recording.peaks}
      />
      <div className="mt-5 border-t border-line pt-5">
        {writtenFeedback && (
          <>
            <h3 className="mb-1 font-sans text-sm font-semibold">Written feedback</h3>
            <p className="measure break-words whitespace-pre-line">{writtenFeedback}</p>
          </>
        )}
        {audioFeedbackUrl && (
          <div className={writtenFeedback ? 'mt-5' : undefined}>
            <h3 className="mb-2 font-sans text-sm font-semibold">Audio feedback</h3>
            <AudioPlayer
              id={`reply-${feedback.id}`}
              src={audioFileUrl(audioFeedbackUrl)}
              title={`Audio feedback: ${recording.title}, ${name}`}
              duration={feedback.audioFeedbackDuration}
              peaks={feedback.peaks}
            />
          </div>
        )}
      </div>
      <p className="mt-5 text-sm text-soft">{note}</p>
    </Card>
  );
}

const STATES: Record<FeedbackStatus, { word: string; tone: BadgeTone; note: string }> = {
  unread: { word: 'Not heard yet', tone: 'waiting', note: 'The student has not seen this feedback yet.' },
  read: { word: 'Seen', tone: 'info', note: 'The student has seen this feedback.' },
  integrated: {
    word: 'Integrated',
    tone: 'done',
    note: 'The student has taken this feedback into the practice.',
  },
};
