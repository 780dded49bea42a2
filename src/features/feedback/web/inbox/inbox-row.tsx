import { clsx } from 'clsx';
import { formatDisplayName } from '#web/api/session.ts';
import { formatDuration } from '#web/ui/format-duration.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { describeLineDeviations } from './lines/describe-line-deviations.ts';

type InboxRowProps = {
  recording: PendingRecording;
  isOpen?: boolean;
  /** Whether to also show the first line of the student's message. */
  hasMessage?: boolean;
};

/** Summarizes a pending recording: student, time, title, duration, and lines left out or repeated. */
export const InboxRow = ({ recording, isOpen = false, hasMessage = false }: InboxRowProps) => (
  <span className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 text-sm leading-tight">
    <span dir="auto" className={clsx('line-clamp-2 font-semibold wrap-anywhere', isOpen && 'text-action')}>
      {formatDisplayName(recording.student)}
    </span>
    <TimeAgo time={recording.createdAt} className="text-soft" />
    <span {...getLangProps(recording.title)} className="truncate text-soft">
      {recording.title}
    </span>
    <span className="justify-self-end text-soft tabular-nums">{formatDuration(recording.duration)}</span>
    {hasMessage && recording.message && (
      <span dir="auto" className="col-span-2 truncate text-soft italic">
        {recording.message}
      </span>
    )}
    {recording.isStudentDisabled && (
      <span className="col-span-2 font-semibold text-danger">Account disabled</span>
    )}
    {recording.sungOtherwise && (
      <span className="col-span-2 font-semibold text-saffron-ink">
        {describeLineDeviations(recording.sungOtherwise)}
      </span>
    )}
  </span>
);
