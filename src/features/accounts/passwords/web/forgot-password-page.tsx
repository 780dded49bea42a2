import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { call, issuesOf, sentenceOf } from '#web/api/call.ts';
import { usePageTitle } from '#web/navigation/page-title.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { VisitorFrame, VisitorHeading } from '#web/layout/visitor-frame.tsx';
import { RESET_LINK_HOURS, RESET_REQUESTED } from '../limits.ts';

const FAILED = 'Failed to send reset email. Please try again.';
const EMAIL_REQUIRED = 'Please enter your email address.';
const NO_EMAIL = 'Please enter a valid email address.';

export default function ForgotPasswordPage() {
  const [isSent, setIsSent] = useState(false);
  usePageTitle(isSent ? 'Check Your Email' : 'Forgot Password');
  return (
    <VisitorFrame>
      <div className="w-full max-w-[27rem] lg:min-h-[34rem]">
        {isSent ? <Sent /> : <RequestForm onSent={() => setIsSent(true)} />}
      </div>
    </VisitorFrame>
  );
}

function RequestForm({ onSent }: { onSent: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const request = useMutation({
    mutationFn: (email: string) => call('POST /api/password-reset/request', { body: { email } }),
    meta: { refreshes: [] },
    onSuccess: () => {
      toast({ title: RESET_REQUESTED });
      onSent();
    },
    onError: (error) => {
      setProblem(issuesOf(error).find(({ path }) => path === 'email')?.message ?? null);
      toast({ title: FAILED, description: sentenceOf(error, undefined), variant: 'destructive' });
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = form.current?.querySelector<HTMLInputElement>('[name=email]');
    const email = field?.value.trim() ?? '';
    const found = email === '' ? EMAIL_REQUIRED : field?.validity.valid ? null : NO_EMAIL;
    setProblem(found);
    request.reset();
    if (!found) return request.mutate(email);
    field?.focus();
    if (email === '') toast({ title: 'Email Required', description: EMAIL_REQUIRED, variant: 'destructive' });
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <div>
        <VisitorHeading>Forgot Password</VisitorHeading>
        <p className="mt-2 text-soft">
          Enter the email address of your account. We will send you a link by which you choose a new password.
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
        error={problem}
      />
      {request.isError && (
        <Notice tone="danger" title={FAILED}>
          {sentenceOf(request.error, undefined)}
        </Notice>
      )}
      <Button type="submit" variant="primary" isWide busy={request.isPending} className="mt-1 text-base">
        Send Reset Link
      </Button>
      <p className="text-center">
        <Link href="/" className="link inline-block px-2 py-2 text-sm">
          Back to Sign In
        </Link>
      </p>
    </form>
  );
}

function Sent() {
  return (
    <div className="grid gap-5">
      <VisitorHeading isNext>Check Your Email</VisitorHeading>
      <p>{RESET_REQUESTED}</p>
      <ul className="list-disc space-y-2 ps-5 text-soft">
        <li>The link expires in {RESET_LINK_HOURS} hours and works once.</li>
        <li>If no mail comes within a few minutes, check your spam folder.</li>
        <li>Still none? Your teacher can help you.</li>
      </ul>
      <ButtonLink href="/" variant="primary" isWide className="mt-1 text-base">
        Back to Sign In
      </ButtonLink>
    </div>
  );
}
