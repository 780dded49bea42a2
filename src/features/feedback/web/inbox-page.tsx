import { useQuery } from '@tanstack/react-query';
import { TeacherOnly } from '../../../platform/web/layout/by-role.tsx';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { InboxDesk } from './inbox-desk.tsx';

export default function InboxPage() {
  return (
    <TeacherOnly title="Access Denied" text="Only the teacher hears what students submit.">
      <Inbox />
    </TeacherOnly>
  );
}

function Inbox() {
  const pending = useQuery(apiQuery('GET /api/recordings/pending'));
  const failure = pending.isError && (
    <LoadFailure
      sentence="The recordings could not be loaded."
      error={pending.error}
      isTrying={pending.isFetching}
      onTryAgain={() => void pending.refetch()}
    />
  );
  // What was loaded before stays, with all that is typed into it.
  if (pending.data) {
    return (
      <>
        <PageHeading title="Student Submissions">
          <span role="status">{waitingSentence(pending.data.length)}</span>
        </PageHeading>
        {failure && <div className="mb-5">{failure}</div>}
        <InboxDesk recordings={pending.data} />
      </>
    );
  }
  return (
    <>
      <PageHeading title="Student Submissions">Oldest first</PageHeading>
      {failure || (
        <SkeletonList label="Loading the recordings..." className="lg:ms-80" itemClassName="h-120" />
      )}
    </>
  );
}

const waitingSentence = (count: number) =>
  count === 0 ? 'Nothing is waiting' : `${count} waiting, oldest first`;
