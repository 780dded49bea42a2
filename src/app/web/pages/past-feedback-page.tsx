import { useQuery } from '@tanstack/react-query';
import { TeacherOnly } from '#web/layout/by-role.tsx';
import { createApiQuery } from '#web/api/query-client.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { getTotalCount, useSearchedPagedList } from '#web/navigation/paged-list.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { useRecordingIdFromUrl } from '#features/feedback/web/feedback-url.ts';
import { FeedbackSearchField, useFeedbackSearch } from './feedback-search.tsx';
import { PastFeedbackCard } from './past-feedback-card.tsx';

export default function PastFeedbackPage() {
  return (
    <TeacherOnly title="Access Denied" text="This page is for the teacher only.">
      <PastFeedback />
    </TeacherOnly>
  );
}

function PastFeedback() {
  const search = useFeedbackSearch();
  const asked = useRecordingIdFromUrl();
  return (
    <>
      <PageHeading title="Past Feedback" aside={<FeedbackSearchField search={search} />}>
        {asked === null ? 'Feedback sent, newest first.' : 'Feedback on one recording.'}
      </PageHeading>
      {asked === null ? (
        <FeedbackResults words={search.words} onClear={search.clear} />
      ) : (
        <FeedbackOnRecording key={asked} recordingId={asked} />
      )}
    </>
  );
}

/** The feedback on one recording, whose id is in the URL. */
function FeedbackOnRecording({ recordingId }: { recordingId: number }) {
  const given = useQuery(
    createApiQuery('GET /api/admin/recordings/{id}/feedback', { params: { id: recordingId } }),
  );
  const isGone = given.error?.status === 404;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {given.data ? (
        <PastFeedbackCard feedback={given.data} />
      ) : isGone ? (
        <p>This feedback no longer exists. The recording may have been deleted.</p>
      ) : given.isError ? (
        <LoadFailure sentence="The feedback could not be loaded." of={given} />
      ) : (
        <SkeletonList label="Loading the feedback..." count={1} itemClassName="h-80" />
      )}
      <ButtonLink href="/past-feedback" className="justify-self-start">
        Show all
      </ButtonLink>
    </div>
  );
}

function FeedbackResults({ words, onClear }: { words: string; onClear: () => void }) {
  const given = useSearchedPagedList('GET /api/admin/feedback', { query: words === '' ? {} : { q: words } });
  const count = given.data ? getTotalCount(given.data) : null;
  // Announces no count while a new search runs, because the page still shows the previous results.
  const isAnswer = count !== null && words !== '' && !given.isPlaceholderData;
  const said = isAnswer ? formatFoundCount(count) : '';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <ScreenReaderAnnouncement text={said} />
      {words !== '' && count !== null && count > 0 && (
        <p aria-hidden="true" className="-mt-2 text-sm text-soft">
          {said}
        </p>
      )}
      <InfiniteList
        pages={given}
        failure="The feedback could not be loaded."
        skeleton={<SkeletonList label="Loading the feedback..." itemClassName="h-80" />}
        empty={
          words === '' ? (
            <EmptyState title="No Feedback Yet" action={<ButtonLink href="/admin">Admin Inbox</ButtonLink>}>
              Feedback you send from the inbox will appear here, with its recording.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing found" action={<Button onClick={onClear}>Show all</Button>}>
              No student or melody matches your search.
            </EmptyState>
          )
        }
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
        item={(feedback) => <PastFeedbackCard key={feedback.id} feedback={feedback} />}
      />
    </div>
  );
}

const formatFoundCount = (count: number) =>
  count === 0 ? 'Nothing found' : `${count.toLocaleString('en')} found`;
