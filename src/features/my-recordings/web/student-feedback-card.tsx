import { Check } from 'lucide-react';
import { type ReactNode, useRef, useState, type RefObject, useEffect } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import { useUser } from '#web/api/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { Card } from '#web/ui/card.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { formatAttemptName } from '#features/recordings/web/attempt-name.ts';
import { getPracticeAgainPath } from '#features/recordings/web/practice-paths.ts';
import { type DeferredAction, deferAction } from './defer-action.ts';
import {
  removePendingIntegration,
  storePendingIntegration,
  INTEGRATION_UNDO_WINDOW_MS,
} from './pending-integrations.ts';
import { RecordingLinesSection } from './line-by-line/recording-lines-section.tsx';
import { StudentMessage } from '#features/recordings/web/student-message.tsx';
import type { Feedback, FeedbackStatus } from '#features/feedback/contract.ts';
import { CorrectedNote, getTypedFeedback } from '#features/feedback/web/given-feedback.tsx';
import { MarkedRecording } from '#features/feedback/web/marks/marked-recording.tsx';
import { YourAttempts } from '#features/feedback/web/your-attempts.tsx';
import { useMutation } from '@tanstack/react-query';
import { callApi, getErrorMessage, isUnauthorizedError } from '#web/api/call.ts';
import { updateInPages } from '#web/navigation/paged-list.ts';
import { joinSentences } from '#web/ui/sentences.ts';
import { toast } from '#web/ui/toasts.ts';

export const getFeedbackHeadingId = (feedbackId: number) => `feedback-${feedbackId}`;

export function StudentFeedbackCard({ feedback }: { feedback: Feedback }) {
  const { id, recording, audioFeedbackUrl, status } = feedback;
  const card = useRef<HTMLDivElement>(null);
  // Shown as new until the student leaves the page, even after it has been marked as read.
  const [isNew] = useState(status === 'unread');
  const markRead = useMarkRead(id);
  useOnSeen(card, status === 'unread', markRead);
  const words = getTypedFeedback(feedback);
  const { teacherTitle } = usePageSettings();

  return (
    <Card
      ref={card}
      as="article"
      aria-labelledby={getFeedbackHeadingId(id)}
      className="grid scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-6 lg:scroll-mt-4"
    >
      <FeedbackHeader feedback={feedback} isNew={isNew && status !== 'integrated'} />
      {words && (
        <FeedbackSection title="Written feedback">
          <p {...getLangProps(words)} className="measure font-serif break-words whitespace-pre-line">
            {words}
          </p>
        </FeedbackSection>
      )}
      {audioFeedbackUrl && (
        <FeedbackSection title="Audio response">
          <AudioPlayer
            sound={{ name: audioFeedbackUrl, copies: feedback.audioFeedbackCopies }}
            title={`Audio response: ${recording.title}`}
            duration={feedback.audioFeedbackDuration}
            peaks={feedback.peaks}
            id={`reply-${id}`}
          />
        </FeedbackSection>
      )}
      <FeedbackSection
        title={
          feedback.marks.length > 0 ? `Your recording, with ${teacherTitle}’s comments` : 'Your recording'
        }
      >
        {recording.message && <StudentMessage message={recording.message} />}
        <MarkedRecording
          {...{ recording }}
          marks={feedback.marks}
          voices={feedback.voices}
          title={`Your recording of ${recording.title}`}
          leadsToMelody
        />
      </FeedbackSection>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-start">
        <ButtonLink
          href={getPracticeAgainPath(recording.melodyId, recording.id)}
          variant="primary"
          className="shrink-0"
        >
          Practice Again
        </ButtonLink>
        <IntegrationControl feedback={feedback} />
      </div>
      {recording.melodyId !== null && (
        <Disclosure label="Compare">
          {() => (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
              <RecordingLinesSection {...{ recording, feedback }} />
              <YourAttempts recordingId={recording.id} />
            </div>
          )}
        </Disclosure>
      )}
    </Card>
  );
}

function FeedbackHeader({ feedback, isNew }: { feedback: Feedback; isNew: boolean }) {
  const { id, recording, status, createdAt, correctedAt } = feedback;
  const { teacherTitle } = usePageSettings();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h2
          {...getLangProps(recording.title)}
          id={getFeedbackHeadingId(id)}
          tabIndex={-1}
          className="text-lg break-words"
        >
          {recording.title}
        </h2>
        <p className="flex flex-wrap gap-x-3 text-sm text-soft">
          {recording.attempt !== null && <span>{formatAttemptName(recording.attempt)}</span>}
          <span>
            From {teacherTitle}, <TimeAgo time={createdAt} />
          </span>
          <CorrectedNote correctedAt={correctedAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isNew && <Badge tone="new">New</Badge>}
        {status === 'integrated' && <Badge tone="info">Integrated</Badge>}
        <Badge tone="done">Reviewed</Badge>
      </div>
    </div>
  );
}

const FeedbackSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
    <h3 className="text-sm font-semibold text-soft">{title}</h3>
    {children}
  </section>
);

/**
 * Marks the feedback as integrated. The server can't undo that, so the request is delayed while the student can
 * press Undo.
 */
function IntegrationControl({ feedback: { id, status } }: { feedback: Feedback }) {
  const { teacherTitle } = usePageSettings();
  const { id: userId } = useUser();
  const mark = useMarkIntegrated(id);
  const [isHeld, setIsHeld] = useState(false);
  const held = useRef<DeferredAction | null>(null);
  useEffect(() => () => held.current?.run(), []);
  const press = () => {
    held.current = deferAction(INTEGRATION_UNDO_WINDOW_MS, (isLeaving) => {
      setIsHeld(false);
      mark.mutate({ isLeaving });
    });
    storePendingIntegration(userId, id);
    setIsHeld(true);
    mark.reset();
    toast({ title: 'Feedback marked as integrated' });
  };
  const undo = () => {
    held.current?.cancel();
    removePendingIntegration(userId, id);
    setIsHeld(false);
  };
  const place = useRef<HTMLDivElement>(null);
  useRestoreFocus(place, isHeld, getFeedbackHeadingId(id));
  if (isHeld || mark.isPending || status === 'integrated')
    return (
      <div ref={place} className="flex min-h-12 flex-wrap items-center gap-x-4 text-sm text-jade-ink">
        <p role="status" className="flex items-center gap-2">
          <Check className="size-5" />
          Marked as integrated
        </p>
        {isHeld && (
          <Button variant="quiet" onClick={undo}>
            Undo
          </Button>
        )}
      </div>
    );
  return (
    <div ref={place}>
      <Button icon={<Check />} onClick={press} className="max-sm:w-full">
        Mark as Integrated
      </Button>
      <p className="mt-1.5 text-sm text-soft">
        Press this when the feedback has become part of your singing, so {teacherTitle} knows.
      </p>
      {mark.isError && <ErrorText className="mt-2">{getMarkFailureMessage(mark.error)}</ErrorText>}
    </div>
  );
}

/** Moves focus to the button that replaces the pressed one, or to the card's heading if there is none. */
function useRestoreFocus(place: RefObject<HTMLElement | null>, isHeld: boolean, headingId: string) {
  const wasHeld = useRef(isHeld);
  useEffect(() => {
    if (wasHeld.current === isHeld) return;
    wasHeld.current = isHeld;
    if (document.activeElement !== document.body) return;
    const next = place.current?.querySelector('button') ?? document.getElementById(headingId);
    next?.focus({ preventScroll: true });
  }, [place, isHeld, headingId]);
}

/** Minimum time in view, in milliseconds. Less counts as scrolling past. */
const MIN_SEEN_MS = 1_000;

/** Excludes the top and bottom 20 % of the screen, so that a sliver at the edge does not count as visible. */
const IN_VIEW_OPTIONS = { rootMargin: '-20% 0px' };

/** Calls `onSeen` once the element has been in view for a second while the page is visible. */
function useOnSeen(element: RefObject<HTMLElement | null>, isAwaited: boolean, onSeen: () => void) {
  useEffect(() => {
    const watched = element.current;
    if (!isAwaited || !watched) return;
    let timer = 0;
    let isInSight = false;
    const look = () => {
      clearTimeout(timer);
      if (isInSight && !document.hidden) timer = window.setTimeout(onSeen, MIN_SEEN_MS);
    };
    const observer = new IntersectionObserver((entries) => {
      isInSight = entries.at(-1)?.isIntersecting ?? false;
      look();
    }, IN_VIEW_OPTIONS);
    observer.observe(watched);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [element, isAwaited, onSeen]);
}

function useMarkIntegrated(id: number) {
  const { id: userId } = useUser();
  return useMutation({
    mutationFn: ({ isLeaving }: { isLeaving: boolean }) => changeStatus(id, 'integrated', isLeaving),
    meta: changed,
    onSuccess(feedback) {
      removePendingIntegration(userId, id);
      updateCachedFeedback(feedback);
    },
    onError(error, { isLeaving }) {
      // Students who have left, or whose session has ended, can't press the button again. The change stays
      // stored, and the next visit sends it.
      if (!isLeaving && !isUnauthorizedError(error)) removePendingIntegration(userId, id);
      toast({ title: 'Error', description: getMarkFailureMessage(error), variant: 'destructive' });
    },
  });
}

const getMarkFailureMessage = (error: unknown) =>
  joinSentences('Failed to update feedback status.', getErrorMessage(error, 'Please try again.'));

/**
 * Returns a function that marks the feedback as read. It fails silently, because the student did not request
 * it. The next visit tries again.
 */
function useMarkRead(id: number) {
  return useMutation({
    mutationFn: () => changeStatus(id, 'read'),
    meta: changed,
    onSuccess: updateCachedFeedback,
  }).mutate;
}

const changeStatus = (id: number, status: FeedbackStatus, keepalive = false) =>
  callApi('PATCH /api/feedback/{id}/status', { params: { id }, body: { status }, keepalive });

const changed = { refreshes: ['/api/feedback/unread-count'] as const };

const updateCachedFeedback = (statusChange: Feedback) => updateInPages('/api/feedback', statusChange);
