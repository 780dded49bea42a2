import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { usePageTitle } from '#web/navigation/page-title.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { VisitorLayout, VisitorHeading } from '#web/layout/visitor-layout.tsx';
import { EMAIL_REQUIRED_MESSAGE } from '#features/accounts/limits.ts';
import { RESET_LINK_TTL_HOURS, RESET_REQUESTED_MESSAGE } from '../limits.ts';

const FAILED = 'Failed to send reset email. Please try again.';

export default function ForgotPasswordPage() {
  const [isSent, setIsSent] = useState(false);
  usePageTitle(isSent ? 'Check Your Email' : 'Forgot Password');
  return (
    <VisitorLayout>
      <div className="w-full max-w-[27rem] lg:min-h-[34rem]">
        {isSent ? <LinkSent /> : <RequestForm onSent={() => setIsSent(true)} />}
      </div>
    </VisitorLayout>
  );
}

function RequestForm({ onSent }: { onSent: () => void }) {
  const request = useMutation({
    mutationFn: (body: { email: string }) => callApi('POST /api/password-reset/request', { body }),
    meta: { refreshes: [] },
    onSuccess: () => {
      toast({ title: RESET_REQUESTED_MESSAGE });
      onSent();
    },
    onError: (error) => {
      form.showServerErrors(error);
      toast({ title: FAILED, description: getErrorMessage(error, undefined), variant: 'destructive' });
    },
  });

  const form = useForm<{ email: string }>({
    schema: async () => (await import('../contract.ts')).passwordsApi.requestReset.body,
    onValid: (typed) => request.mutate(typed),
    onInvalid: ({ email }) => {
      request.reset();
      if (email === EMAIL_REQUIRED_MESSAGE)
        toast({ title: 'Email Required', description: EMAIL_REQUIRED_MESSAGE, variant: 'destructive' });
    },
  });

  return (
    <form {...form.props} className="grid gap-5">
      <div>
        <VisitorHeading>Forgot Password</VisitorHeading>
        <p className="mt-2 text-soft">
          Enter your account’s email address. We’ll send you a link to choose a new password.
        </p>
      </div>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        maxLength={254}
        aria-required
        error={form.problems.email}
      />
      {request.isError && (
        <Notice tone="danger" title={FAILED}>
          {getErrorMessage(request.error, undefined)}
        </Notice>
      )}
      <Button type="submit" variant="primary" isWide busy={request.isPending} className="mt-1 text-base">
        Send Reset Link
      </Button>
      <p className="text-center">
        <Link href="/" className="link inline-flex min-h-11 items-center px-2 text-sm">
          Back to Sign In
        </Link>
      </p>
    </form>
  );
}

function LinkSent() {
  return (
    <div className="grid gap-5">
      <VisitorHeading isNext>Check Your Email</VisitorHeading>
      <p>{RESET_REQUESTED_MESSAGE}</p>
      <ul className="list-disc space-y-2 ps-5 text-soft">
        <li>The link expires in {RESET_LINK_TTL_HOURS} hours and works once.</li>
        <li>If no email arrives within a few minutes, check your spam folder.</li>
        <li>Still nothing? Ask your teacher for help.</li>
      </ul>
      <ButtonLink href="/" variant="primary" isWide className="mt-1 text-base">
        Back to Sign In
      </ButtonLink>
    </div>
  );
}
