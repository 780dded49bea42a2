import { clsx } from 'clsx';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { TeacherOnly } from '#web/layout/by-role.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { AuditSection } from '#features/audit/web/audit-section.tsx';
import { ServerSection } from '#features/operations/health/web/server-section.tsx';
import { LevelsSection } from '#features/people/levels/web/levels-section.tsx';
import { MailNotice } from '#features/messages/mail/web/mail-notice.tsx';
import { UserManagement } from '#features/people/users/web/user-management.tsx';

export default function UsersPage() {
  return (
    <TeacherOnly title="Access Denied" text="This page is for the teacher only.">
      <Users />
    </TeacherOnly>
  );
}

const TABS = ['people', 'levels', 'who-did-what'] as const;
type UsersTab = (typeof TABS)[number];

function Users() {
  const [search] = useSearchParams();
  const selectedId = search.get('user');
  const [place, setPlace] = useState<UsersTab>(
    () => TABS.find((each) => location.hash === `#${each}`) ?? 'people',
  );
  // On phones, the selected user's details replace everything else.
  const isAside = selectedId !== null && place === 'people';
  return (
    <>
      <PageHeading title="User Management">People and their levels.</PageHeading>
      <MailNotice />
      <Tabs<UsersTab>
        label="User Management"
        value={place}
        onChange={setPlace}
        className={clsx(
          '[&>[role=tablist]]:mb-5 [&>[role=tablist]]:max-w-xl',
          isAside && 'max-lg:[&>[role=tablist]]:hidden',
        )}
        tabs={[
          { value: 'people', label: 'People', panel: <UserManagement selectedId={selectedId} /> },
          {
            value: 'levels',
            label: 'Levels',
            panel: (
              <div className="max-w-3xl">
                <LevelsSection />
              </div>
            ),
          },
          {
            value: 'who-did-what',
            label: 'Activity',
            panel: (
              <div className="max-w-3xl">
                <AuditSection />
              </div>
            ),
          },
        ]}
      />
      <div className={clsx('mt-14 max-w-3xl', selectedId !== null && 'max-lg:hidden')}>
        <ServerSection />
      </div>
    </>
  );
}
