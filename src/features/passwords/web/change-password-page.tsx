import { Card } from '../../../platform/web/ui/card.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { useUser } from '../../../platform/web/session.ts';
import { OwnAccount } from '../../account/web/own-account.tsx';
import { OwnExport } from '../../exports/web/own-export.tsx';
import { PasskeysSection } from '../../passkeys/web/passkeys-section.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';
import { OwnSessions } from './own-sessions.tsx';

export default function ChangePasswordPage() {
  return (
    <>
      <PageHeading title="Change Password">Choose a password that only you know.</PageHeading>
      <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-6">
        <Card>
          <ChangePasswordForm />
        </Card>
        {useUser().role === 'admin' && <OwnAccount />}
        <PasskeysSection />
        <OwnSessions />
        <OwnExport />
      </div>
    </>
  );
}
