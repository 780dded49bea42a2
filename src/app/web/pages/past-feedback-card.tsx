import { Pencil } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { formatDisplayName, useUser } from '#web/api/session.ts';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { MarkActions } from '#features/teaching-notes/web/mark-actions.tsx';
import { formatAttemptName } from '#features/recordings/web/attempt-name.ts';
import { StudentMessage } from '#features/recordings/web/student-message.tsx';
import type { Feedback, FeedbackStatus } from '#features/feedback/contract.ts';
import { CorrectionForm } from '#features/feedback/web/correction/correction-form.tsx';
import { CorrectedNote, GivenFeedback } from '#features/feedback/web/given-feedback.tsx';
import { MarkedRecording } from '#features/feedback/web/marks/marked-recording.tsx';
import { hasStoredCorrection } from '#features/feedback/web/correction/use-stored-correction.ts';

/** A reply, with the recording that it answers. */
export function PastFeedbackCard({ feedback }: { feedback: Feedback }) {
  const { recording, status } = feedback;
  const userId = useUser().id;
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isCorrecting, setIsCorrecting] = useState(() => hasStoredCorrection(userId, feedback.id));
  useFocusAfter(isCorrecting, heading);
  const name = formatDisplayName(recording.student);
  const { word, tone, note } = statusBadges[status];
  const { attempt } = recording;
  return (
    <Card as="article" aria-labelledby={headingId} className="min-w-0">
      <h2
        {...getLangProps(recording.title)}
        ref={heading}
        id={headingId}
        tabIndex={-1}
        className="text-2xl break-words"
      >
        {recording.title}
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <Badge tone={tone}>{word}</Badge>
        <span dir="auto" className="min-w-0 font-semibold break-words text-ink">
          {name}
        </span>
        {attempt !== null && attempt > 1 && <Badge>{formatAttemptName(attempt)}</Badge>}
        <span>
          sent <TimeAgo time={feedback.createdAt} />
        </span>
        <CorrectedNote correctedAt={feedback.correctedAt} />
      </p>
      {recording.message && (
        <div className="mt-4">
          <StudentMessage message={recording.message} />
        </div>
      )}
      {isCorrecting ? (
        <CorrectionForm feedback={feedback} onDone={() => setIsCorrecting(false)} />
      ) : (
        <>
          <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 xl:grid-cols-2">
            <div>
              <h3 className="mb-2 font-sans text-sm font-semibold">Student recording</h3>
              <MarkedRecording
                {...{ recording }}
                marks={feedback.marks}
                voices={feedback.voices}
                title={`Recording: ${recording.title}, ${name}`}
                {...(recording.melodyId !== null && { besideMark: actionsOf(feedback, recording.melodyId) })}
              />
            </div>
            <div className="border-line max-xl:border-t max-xl:pt-5">
              <GivenFeedback
                feedback={feedback}
                title={`${recording.title}, ${name}`}
                soundName="Audio feedback"
              />
            </div>
          </div>
          <div className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <p className="text-sm text-soft">{note}</p>
            <Button
              icon={<Pencil />}
              aria-label={`Edit feedback on ${recording.title}, ${name}`}
              onClick={() => setIsCorrecting(true)}
            >
              Edit
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

const actionsOf = (feedback: Feedback, melodyId: number) => (index: number) => (
  <MarkActions {...{ feedback, melodyId }} mark={feedback.marks[index]!} number={index + 1} />
);

/** After a correction, focuses the card's heading, because the form's focused button is gone. */
function useFocusAfter(isCorrecting: boolean, heading: RefObject<HTMLElement | null>) {
  const before = useRef(isCorrecting);
  useEffect(() => {
    const hasEnded = before.current && !isCorrecting;
    before.current = isCorrecting;
    if (!hasEnded) return;
    // Waits a frame, because the confirmation dialog may still be closing.
    const frame = requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [isCorrecting, heading]);
}

const statusBadges: Record<FeedbackStatus, { word: string; tone: BadgeTone; note: string }> = {
  unread: { word: 'Not seen yet', tone: 'waiting', note: 'The student has not seen this feedback yet.' },
  read: { word: 'Seen', tone: 'info', note: 'The student has seen this feedback.' },
  integrated: {
    word: 'Integrated',
    tone: 'done',
    note: 'The student has integrated this feedback.',
  },
};
