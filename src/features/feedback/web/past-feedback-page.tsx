import { useInfiniteQuery } from '@tanstack/react-query';
import { TeacherOnly } from '../../../platform/web/layout/by-role.tsx';
import { call } from '../../../platform/web/call.ts';
import { Button, ButtonLink } from '../../../platform/web/ui/button.tsx';
import { EmptyState } from '../../../platform/web/ui/empty-state.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { GivenFeedbackCard } from './given-feedback-card.tsx';

export default function PastFeedbackPage() {
  return (
    <TeacherOnly title="Access Denied" text="This page is for the teacher only.">
      <PageHeading title="Past Feedback">What you have answered, newest first.</PageHeading>
      <PastFeedback />
    </TeacherOnly>
  );
}

function PastFeedback() {
  const given = useGivenFeedback();
  const failure = given.isError && (
    <LoadFailure
      sentence="The feedback could not be loaded."
      error={given.error}
      isTrying={given.isFetching}
      onTryAgain={() => void (given.isFetchNextPageError ? given.fetchNextPage() : given.refetch())}
    />
  );
  if (!given.data) return failure || <SkeletonList label="Loading the feedback..." itemClassName="h-80" />;
  const feedback = given.data.pages.flat();
  if (feedback.length === 0) {
    return (
      <EmptyState title="No Feedback Yet" action={<ButtonLink href="/admin">Admin Inbox</ButtonLink>}>
        What you answer in the inbox will be kept here, with the recording it belongs to.
      </EmptyState>
    );
  }
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      {feedback.map((each) => (
        <GivenFeedbackCard key={each.id} feedback={each} />
      ))}
      {failure}
      {given.hasNextPage && !failure && (
        <Button busy={given.isFetchingNextPage} onClick={() => void given.fetchNextPage()}>
          Load more
        </Button>
      )}
    </div>
  );
}

/** The server answers this many at a time; fewer are the last. */
const PAGE_SIZE = 200;

const useGivenFeedback = () =>
  useInfiniteQuery({
    queryKey: ['/api/admin/feedback', 'page by page'],
    queryFn: ({ pageParam: before, signal }) =>
      call('GET /api/admin/feedback', { query: { before }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.id),
  });
