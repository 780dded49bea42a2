import { useQuery } from '@tanstack/react-query';
import { TeacherOnly } from '#web/layout/by-role.tsx';
import { getLoadedRows, getTotalCount, usePagedList } from '#web/navigation/paged-list.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { MailNotice } from '#features/messages/mail/web/mail-notice.tsx';
import { PendingRegistrationRequests } from './pending-registration-requests.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { ExactDate } from '#web/ui/time-ago.tsx';
import type { Registration } from '../contract.ts';

export default function RegistrationsPage() {
  return (
    <TeacherOnly title="Access Denied" text="This page is for the teacher only.">
      <PageHeading title="Registration Requests">People asking to learn with you.</PageHeading>
      <MailNotice />
      <Registrations />
    </TeacherOnly>
  );
}

function Registrations() {
  const pending = usePagedList('GET /api/admin/registration-requests', { query: { status: 'pending' } });
  const recent = useQuery(createApiQuery('GET /api/admin/registration-requests/recent'));
  const levels = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  const failed = [pending, recent, levels].find(({ isError, data }) => isError && !data);
  if (failed) {
    return <LoadFailure sentence="Couldn’t load the registration requests." of={failed} />;
  }
  if (!pending.data || !recent.data || !levels.data) {
    return <SkeletonList label="Loading the requests..." className="max-w-3xl gap-4" itemClassName="h-56" />;
  }
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-10 xl:max-w-none xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] xl:gap-8">
      <PendingRegistrationRequests
        pages={pending}
        requests={getLoadedRows(pending.data)}
        total={getTotalCount(pending.data)}
        levels={levels.data}
      />
      <RecentActivity requests={recent.data} />
    </div>
  );
}

function RecentActivity({ requests }: { requests: readonly Registration[] }) {
  return (
    <section aria-labelledby="recent-activity" className="min-w-0">
      <h2 id="recent-activity" className="mb-4 text-2xl">
        Recent Activity
      </h2>
      {requests.length === 0 ? (
        <p className="text-soft">No recent activity. Requests you approve will appear here.</p>
      ) : (
        <Card className="py-2 sm:py-2">
          <ul className="divide-y divide-line">
            {requests.map(({ id, fullName, email, processedAt }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
                <div className="min-w-0 grow basis-56">
                  <p dir="auto" className="font-semibold break-words">
                    {fullName}
                  </p>
                  <p className="text-sm break-words text-soft">{email}</p>
                </div>
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
                  <Badge tone="done">Approved</Badge>
                  {processedAt && <ExactDate time={processedAt} />}
                </p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
