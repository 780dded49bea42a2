import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { TeacherOnly } from '../../../platform/web/layout/by-role.tsx';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { MailNotice } from '../../mail/web/mail-notice.tsx';
import { UserDesk } from './user-desk.tsx';

export default function UsersPage() {
  return (
    <TeacherOnly title="Access Denied" text="This page is for the teacher only.">
      <Users />
    </TeacherOnly>
  );
}

function Users() {
  const users = useQuery(apiQuery('GET /api/admin/users'));
  const [search] = useSearchParams();
  return (
    <>
      <PageHeading title="User Management">Who is here, and which transmissions each may hear.</PageHeading>
      <MailNotice />
      {users.data ? (
        <UserDesk users={users.data} selectedId={search.get('user')} />
      ) : users.isError ? (
        <LoadFailure
          sentence="The users could not be loaded."
          error={users.error}
          isTrying={users.isFetching}
          onTryAgain={() => void users.refetch()}
        />
      ) : (
        <SkeletonList
          label="Loading the users..."
          count={6}
          className="max-w-md gap-2"
          itemClassName="h-28"
        />
      )}
    </>
  );
}
