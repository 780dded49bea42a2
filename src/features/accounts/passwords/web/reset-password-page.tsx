import { useState } from 'react';
import { useLinkToken } from '#web/navigation/link-token.ts';
import { usePageTitle } from '#web/navigation/page-title.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { VisitorLayout, VisitorHeading } from '#web/layout/visitor-layout.tsx';
import { IncompleteResetLinkMessage, ResetPasswordForm } from './reset-password-form.tsx';

export default function ResetPasswordPage() {
  const token = useLinkToken();
  const [isDone, setIsDone] = useState(false);
  usePageTitle(isDone ? 'Password Reset Complete' : 'Reset Password');
  return (
    <VisitorLayout>
      <div className="w-full max-w-[27rem] lg:min-h-[34rem]">
        {isDone ? (
          <ResetComplete />
        ) : token === '' ? (
          <IncompleteResetLinkMessage />
        ) : (
          <ResetPasswordForm token={token} onDone={() => setIsDone(true)} />
        )}
      </div>
    </VisitorLayout>
  );
}

function ResetComplete() {
  return (
    <div className="grid gap-5">
      <VisitorHeading isNext>Password Reset Complete</VisitorHeading>
      <p>Your new password is set, and you are signed out on all your devices. Sign in with it now.</p>
      <ButtonLink href="/" variant="primary" isWide className="mt-1 text-base">
        Sign In
      </ButtonLink>
    </div>
  );
}
