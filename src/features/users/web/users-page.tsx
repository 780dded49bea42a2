import { clsx } from 'clsx';
import { useSearchParams } from 'wouter';
import { TeacherOnly } from '../../../platform/web/layout/by-role.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { AuditSection } from '../../audit/web/audit-section.tsx';
import { BackupsSection } from '../../backups/web/backups-section.tsx';
import { LevelsSection } from '../../levels/web/levels-section.tsx';
import { MailNotice } from '../../mail/web/mail-notice.tsx';
import { UserManagement } from './user-management.tsx';

export default function UsersPage() {
  return (
    <TeacherOnly title="Access Denied" text="This page is for the teacher only.">
      <Users />
    </TeacherOnly>
  );
}

function Users() {
  const [search] = useSearchParams();
  const selectedId = search.get('user');
  return (
    <>
      <PageHeading title="User Management">Who is here, and which transmissions each may hear.</PageHeading>
      <MailNotice />
      <OnThisPage isHiddenOnPhones={selectedId !== null} />
      <UserManagement selectedId={selectedId} />
      <div
        className={clsx(
          'mt-14 grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-14',
          selectedId !== null && 'max-lg:hidden',
        )}
      >
        <LevelsSection />
        <AuditSection />
        <BackupsSection />
      </div>
    </>
  );
}

/** Whatever is below a long list would otherwise be far away. */
const OnThisPage = ({ isHiddenOnPhones }: { isHiddenOnPhones: boolean }) => (
  <nav aria-label="On this page" className={clsx('-mt-3 mb-3', isHiddenOnPhones && 'max-lg:hidden')}>
    <ul className="flex flex-wrap gap-x-6">
      {[
        ['levels', 'Levels'],
        ['who-did-what', 'Who did what'],
      ].map(([id, label]) => (
        <li key={id}>
          <a href={`#${id}`} className="link inline-flex min-h-11 items-center text-sm">
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
