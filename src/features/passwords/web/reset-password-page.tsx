import { useEffect, useState } from 'react';
import { usePageTitle } from '../../../platform/web/page-title.ts';
import { ButtonLink } from '../../../platform/web/ui/button.tsx';
import { VisitorFrame, VisitorHeading } from '../../sign-in/web/visitor-frame.tsx';
import { ResetPasswordForm } from './reset-password-form.tsx';

export default function ResetPasswordPage() {
  const token = useResetToken();
  const [isDone, setIsDone] = useState(false);
  usePageTitle(isDone ? 'Password Reset Complete' : 'Reset Password');
  return (
    <VisitorFrame>
      <div className="w-full max-w-[27rem] lg:min-h-[34rem]">
        {isDone ? <Complete /> : <ResetPasswordForm token={token} onDone={() => setIsDone(true)} />}
      </div>
    </VisitorFrame>
  );
}

function Complete() {
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

type Kept = { resetToken?: string };

/**
 * The token of the address. It leaves the address at once for the page's own entry in the history, which a reload
 * keeps: so that it can't be read over a shoulder, copied along with the address, or sent as a referrer.
 */
function useResetToken(): string {
  const [token] = useState(() => given() || kept());
  useEffect(() => {
    if (given()) history.replaceState({ ...state(), resetToken: token }, '', location.pathname);
  }, [token]);
  return token;
}

const given = () => (new URLSearchParams(location.search).get('token') ?? '').trim();
const kept = () => state().resetToken ?? '';
const state = () => (history.state ?? {}) as Kept;
