import { TimeAgo } from '#web/ui/time-ago.tsx';
import { formatAttemptName } from '#features/recordings/web/attempt-name.ts';
import { StudentMessage } from '#features/recordings/web/student-message.tsx';
import type { ThreadEntry } from '../contract.ts';
import { CorrectedNote, GivenFeedback } from './given-feedback.tsx';
import { MarkedRecording } from './marks/marked-recording.tsx';

type AttemptEntryProps = {
  entry: ThreadEntry;
  /** Whether this attempt is playing in the sequence of all attempts. */
  isCurrent?: boolean;
  hasSpeed?: boolean;
  /** Whether the matching line of the melody plays after a mark's passage. */
  leadsToMelody?: boolean;
  onAudio?: (audio: HTMLAudioElement | null) => void;
};

/** One attempt at a melody, with its feedback. */
export function AttemptEntry({
  entry: { recording, feedback },
  isCurrent = false,
  hasSpeed = false,
  leadsToMelody = false,
  onAudio,
}: AttemptEntryProps) {
  const name = formatAttemptName(recording.attempt ?? 1);
  const title = `${name}: ${recording.title}`;
  return (
    <li
      aria-current={isCurrent || undefined}
      className={`grid grid-cols-[minmax(0,1fr)] gap-3 border-s-3 ps-4 ${isCurrent ? 'border-action' : 'border-line'}`}
    >
      <div>
        <h3 className="text-base">{name}</h3>
        <p className="flex flex-wrap gap-x-3 text-sm text-soft">
          <TimeAgo time={recording.createdAt} />
          {feedback && <CorrectedNote correctedAt={feedback.correctedAt} />}
        </p>
      </div>
      {recording.message && <StudentMessage message={recording.message} />}
      <MarkedRecording
        {...{ recording, title, hasSpeed, leadsToMelody }}
        marks={feedback?.marks ?? []}
        voices={feedback?.voices}
        {...(onAudio ? { onAudio } : {})}
      />
      {feedback ? (
        <GivenFeedback feedback={feedback} title={title} heading="h4" />
      ) : (
        <p className="text-sm text-soft">No feedback yet.</p>
      )}
    </li>
  );
}
