import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import type { ThreadEntry } from '../contract.ts';

type ThreadProps = { recordingId: number; children: (entries: readonly ThreadEntry[]) => ReactNode };

/** All attempts at the melody of a recording, fetched when they are shown. */
export function Thread({ recordingId, children }: ThreadProps) {
  const thread = useQuery(apiQuery('GET /api/recordings/{id}/thread', { params: { id: recordingId } }));
  if (thread.data) return children(thread.data);
  if (thread.isError)
    return (
      <LoadFailure
        sentence="The attempts could not be loaded."
        error={thread.error}
        isTrying={thread.isFetching}
        onTryAgain={() => void thread.refetch()}
      />
    );
  return <SkeletonList label="Loading the attempts..." itemClassName="h-24" />;
}
