import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { TeacherOnly } from '../../../platform/web/layout/by-role.tsx';
import { call } from '../../../platform/web/call.ts';
import { Announce } from '../../../platform/web/ui/announce.tsx';
import { Button, ButtonLink } from '../../../platform/web/ui/button.tsx';
import { EmptyState } from '../../../platform/web/ui/empty-state.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { HISTORY_PAGE } from '../../recordings/limits.ts';
import { FeedbackSearch, useFeedbackSearch } from './feedback-search.tsx';
import { GivenFeedbackCard } from './given-feedback-card.tsx';

export default function PastFeedbackPage() {
  return (
    <TeacherOnly title="Access Denied" text="This page is for the teacher only.">
      <PastFeedback />
    </TeacherOnly>
  );
}

function PastFeedback() {
  const search = useFeedbackSearch();
  return (
    <>
      <PageHeading title="Past Feedback" aside={<FeedbackSearch search={search} />}>
        What you have answered, newest first.
      </PageHeading>
      <Given words={search.words} onClear={search.clear} />
    </>
  );
}

function Given({ words, onClear }: { words: string; onClear: () => void }) {
  const given = useGivenFeedback(words);
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
  const found = foundSentence(feedback.length, given.hasNextPage);
  // While other words are looked for, what is on the screen is the former answer.
  const said = words === '' || given.isPlaceholderData ? '' : found;
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <Announce text={said} />
      {words !== '' && feedback.length > 0 && (
        <p aria-hidden="true" className="-mt-2 text-sm text-soft">
          {said}
        </p>
      )}
      {feedback.map((each) => (
        <GivenFeedbackCard key={each.id} feedback={each} />
      ))}
      {feedback.length === 0 &&
        (words === '' ? (
          <EmptyState title="No Feedback Yet" action={<ButtonLink href="/admin">Admin Inbox</ButtonLink>}>
            What you answer in the inbox will be kept here, with the recording it belongs to.
          </EmptyState>
        ) : (
          <EmptyState title="Nothing found" action={<Button onClick={onClear}>Show all</Button>}>
            No feedback to a student or on a melody of this name.
          </EmptyState>
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

const foundSentence = (count: number, hasMore: boolean) =>
  count === 0 ? 'Nothing found' : `${hasMore ? `The newest ${count}` : count} found`;

const useGivenFeedback = (words: string) =>
  useInfiniteQuery({
    queryKey: ['/api/admin/feedback', 'page by page', words],
    queryFn: ({ pageParam: before, signal }) =>
      call('GET /api/admin/feedback', {
        query: { before, ...(words === '' ? {} : { q: words }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < HISTORY_PAGE ? undefined : last.at(-1)?.id),
  });
