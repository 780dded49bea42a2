import { useQuery } from '@tanstack/react-query';
import { TeacherOnly } from '../../../platform/web/layout/by-role.tsx';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { Card } from '../../../platform/web/ui/card.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { CreateUserForm } from './create-user-form.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';

export default function InvitePage() {
  return (
    <TeacherOnly title="Admin Access Required" text="This section is for administrators only.">
      <Invite />
    </TeacherOnly>
  );
}

function Invite() {
  const levels = useQuery(apiQuery('GET /api/admin/transmission-levels'));
  return (
    <>
      <PageHeading title="Invite Users">Make an account for somebody you know.</PageHeading>
      <Card as="section" aria-labelledby="create-user" className="max-w-2xl">
        <h2 id="create-user" className="text-2xl">
          Create User with Credentials
        </h2>
        <p className="mt-1 mb-6 text-soft">
          The password is made for you and shown here once. No mail is sent: you pass it on yourself.
        </p>
        {levels.data ? (
          <CreateUserForm levels={levels.data} />
        ) : levels.isError ? (
          <LoadFailure
            sentence="The transmission levels could not be loaded."
            error={levels.error}
            isTrying={levels.isFetching}
            onTryAgain={() => void levels.refetch()}
          />
        ) : (
          <SkeletonList count={4} itemClassName="h-16" />
        )}
      </Card>
    </>
  );
}
