import { AudioPlayer } from '../../../platform/web/audio-ui/audio-player.tsx';
import { audioFileUrl } from '../../../platform/web/audio-ui/media-url.ts';
import { displayName } from '../../../platform/web/session.ts';
import { Badge } from '../../../platform/web/ui/badge.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { duration, spokenDuration } from '../../../platform/web/ui/duration.ts';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';
import type { Recording } from '../../recordings/contract.ts';
import { ReplyForm } from './reply-form.tsx';
import { headingIdOf } from './reply-place.ts';
import { StudentMessage } from '../../recordings/web/student-message.tsx';

/** One pending recording: who, what, how it sounds, and the form to answer it. */
export function ReplyCard({ recording }: { recording: Recording }) {
  const { id, title, student, createdAt, message, audioUrl, peaks } = recording;
  const name = displayName(student);
  return (
    <Card
      as="article"
      aria-labelledby={headingIdOf(id)}
      data-recording={id}
      className="min-w-0 scroll-mt-20 lg:scroll-mt-4"
    >
      <h2 id={headingIdOf(id)} tabIndex={-1} className="text-2xl break-words">
        {title}
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <Badge tone="new">New</Badge>
        <span className="min-w-0 font-semibold break-words text-ink">{name}</span>
        <span>
          <TimeAgo time={createdAt} /> <span aria-hidden="true">· {duration(recording.duration)}</span>
          <span className="sr-only">{spokenDuration(recording.duration)}</span>
        </span>
      </p>
      {message && (
        <div className="mt-4">
          <StudentMessage message={message} />
        </div>
      )}
      <div className="mt-5 rounded-md border border-line p-4">
        <AudioPlayer
          id={id}
          src={audioFileUrl(audioUrl)}
          title={`${title}, ${name}`}
          duration={recording.duration}
          peaks={peaks}
        />
      </div>
      <ReplyForm recordingId={id} />
    </Card>
  );
}
