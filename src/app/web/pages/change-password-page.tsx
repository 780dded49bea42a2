import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { useUser } from '#web/api/session.ts';
import { OwnDetailsForm } from '#features/people/profile/web/own-details-form.tsx';
import { OwnExportSection } from '#features/people/profile/web/own-export-section.tsx';
import { PasskeysSection } from '#features/accounts/passkeys/web/passkeys-section.tsx';
import { ChangePasswordForm } from '#features/accounts/passwords/web/change-password-form.tsx';
import { OwnSessions } from '#features/accounts/passwords/web/own-sessions.tsx';

export default function ChangePasswordPage() {
  return (
    <>
      <PageHeading title="Change Password">Choose a password that only you know.</PageHeading>
      <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] items-start gap-6 xl:max-w-none xl:grid-cols-2">
        {/* The only card in the left column, so that the others stack without holes. */}
        <Card className="xl:row-span-4">
          <ChangePasswordForm />
        </Card>
        {useUser().role === 'admin' && <OwnDetailsForm />}
        <PasskeysSection />
        <OwnSessions />
        <OwnExportSection />
      </div>
    </>
  );
}
