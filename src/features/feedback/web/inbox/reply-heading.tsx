import { clsx } from 'clsx';
import { displayName } from '#web/api/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { duration, spokenDuration } from '#web/ui/duration.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { sungOtherwiseSentence } from './lines/sung-otherwise-sentence.ts';
import { attemptName } from '#features/recordings/web/attempt-name.ts';
import { headingIdOf } from './inbox-focus.ts';

type ReplyHeadingProps = { recording: PendingRecording; isNew: boolean; isClosed: boolean };

/** Shows the title, student, attempt, date and duration of a recording. */
export function ReplyHeading({ recording, isNew, isClosed }: ReplyHeadingProps) {
  const { id, title, student, createdAt, attempt, sungOtherwise, isStudentDisabled } = recording;
  return (
    <>
      <h2
        {...langOf(title)}
        id={headingIdOf(id)}
        tabIndex={-1}
        className={isClosed ? 'truncate text-base leading-snug' : 'text-2xl break-words'}
      >
        {title}
      </h2>
      <p
        className={clsx(
          'flex flex-wrap items-center gap-x-3 text-sm text-soft',
          isClosed ? 'leading-snug' : 'mt-1 gap-y-1',
        )}
      >
        {isNew && <Badge tone="new">New</Badge>}
        <span dir="auto" className="min-w-0 font-semibold break-words text-ink">
          {displayName(student)}
        </span>
        {isStudentDisabled && <Badge tone="danger">Account disabled</Badge>}
        {attempt !== null && attempt > 1 && <Badge>{attemptName(attempt)}</Badge>}
        <span>
          <TimeAgo time={createdAt} /> <span aria-hidden="true">· {duration(recording.duration)}</span>
          <span className="sr-only">{spokenDuration(recording.duration)}</span>
        </span>
        {isClosed && sungOtherwise && (
          <span className="font-semibold text-saffron-ink">{sungOtherwiseSentence(sungOtherwise)}</span>
        )}
      </p>
    </>
  );
}
