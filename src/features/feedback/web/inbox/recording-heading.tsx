import { clsx } from 'clsx';
import { formatDisplayName } from '#web/api/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { formatDuration, formatDurationInWords } from '#web/ui/format-duration.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { describeLineDeviations } from './lines/describe-line-deviations.ts';
import { formatAttemptName } from '#features/recordings/web/attempt-name.ts';
import { getCardHeadingId } from './inbox-focus.ts';

type RecordingHeadingProps = { recording: PendingRecording; isNew: boolean; isClosed: boolean };

/** Shows the title, student, attempt, date and duration of a recording. */
export function RecordingHeading({ recording, isNew, isClosed }: RecordingHeadingProps) {
  const { id, title, student, createdAt, attempt, sungOtherwise, isStudentDisabled } = recording;
  return (
    <>
      <h2
        {...getLangProps(title)}
        id={getCardHeadingId(id)}
        tabIndex={-1}
        className={isClosed ? 'truncate text-base leading-snug' : 'text-2xl break-words desk:max-xl:text-xl'}
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
          {formatDisplayName(student)}
        </span>
        {isStudentDisabled && <Badge tone="danger">Account disabled</Badge>}
        {attempt !== null && attempt > 1 && <Badge>{formatAttemptName(attempt)}</Badge>}
        <span>
          <TimeAgo time={createdAt} /> <span aria-hidden="true">· {formatDuration(recording.duration)}</span>
          <span className="sr-only">{formatDurationInWords(recording.duration)}</span>
        </span>
        {isClosed && sungOtherwise && (
          <span className="font-semibold text-saffron-ink">{describeLineDeviations(sungOtherwise)}</span>
        )}
      </p>
    </>
  );
}
