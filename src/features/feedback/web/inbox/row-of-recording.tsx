import { clsx } from 'clsx';
import { displayName } from '#web/api/session.ts';
import { duration } from '#web/ui/duration.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { sungOtherwiseSentence } from './lines/sung-otherwise-sentence.ts';

type RowOfRecordingProps = {
  recording: PendingRecording;
  isOpen?: boolean;
  /** Whether to show the first line of the message, too. */
  hasMessage?: boolean;
};

/** Summarizes a waiting recording: student and time, title and duration, and lines left out or repeated. */
export const RowOfRecording = ({ recording, isOpen = false, hasMessage = false }: RowOfRecordingProps) => (
  <span className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 text-sm">
    <span dir="auto" className={clsx('truncate font-semibold', isOpen && 'text-action')}>
      {displayName(recording.student)}
    </span>
    <TimeAgo time={recording.createdAt} className="text-soft" />
    <span {...langOf(recording.title)} className="truncate text-soft">
      {recording.title}
    </span>
    <span className="justify-self-end text-soft tabular-nums">{duration(recording.duration)}</span>
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
        {sungOtherwiseSentence(recording.sungOtherwise)}
      </span>
    )}
  </span>
);
