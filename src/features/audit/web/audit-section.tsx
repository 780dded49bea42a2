import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../../platform/web/call.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';
import { AUDIT_PAGE_SIZE } from '../limits.ts';
import { inWords } from './words.ts';

/** The record of who did what, newest first. */
export function AuditSection() {
  return (
    <section id="who-did-what" aria-labelledby="who-did-what-heading" className="min-w-0 scroll-mt-24">
      <h2 id="who-did-what-heading" tabIndex={-1} className="mb-3 text-2xl">
        Who did what
      </h2>
      <Entries />
    </section>
  );
}

function Entries() {
  const entries = useEntries();
  const failure = entries.isError && (
    <LoadFailure
      sentence="The record could not be loaded."
      error={entries.error}
      isTrying={entries.isFetching}
      onTryAgain={() => void (entries.isFetchNextPageError ? entries.fetchNextPage() : entries.refetch())}
    />
  );
  if (!entries.data) {
    return (
      failure || (
        <SkeletonList label="Loading the record..." count={4} className="gap-3" itemClassName="h-12" />
      )
    );
  }
  const shown = entries.data.pages.flat();
  if (shown.length === 0) return <p className="text-soft">What is done here will be written down.</p>;
  return (
    <>
      <ul className="mb-5 divide-y divide-line border-y border-line">
        {shown.map((entry) => (
          <li key={entry.id} className="py-2.5 text-sm break-words">
            {inWords(entry)}, <TimeAgo time={entry.at} className="text-soft" />
          </li>
        ))}
      </ul>
      {failure}
      {entries.hasNextPage && !failure && (
        <Button busy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          Load more
        </Button>
      )}
    </>
  );
}

const useEntries = () =>
  useInfiniteQuery({
    queryKey: ['/api/admin/audit-log', 'page by page'],
    queryFn: ({ pageParam: before, signal }) =>
      call('GET /api/admin/audit-log', { query: { before }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < AUDIT_PAGE_SIZE ? undefined : last.at(-1)?.id),
  });
