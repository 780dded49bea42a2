import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { call, issuesOf, sentenceOf } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { NAME_MAX } from '#features/accounts/limits.ts';

const SUBMITTED = 'Registration request submitted';
const WHAT_FOLLOWS = 'The teacher will review your request and send your login credentials by email.';

type Problems = { fullName?: string; email?: string };

export default function RequestAccessForm() {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const request = useMutation({
    mutationFn: (body: { fullName: string; email: string }) => call('POST /api/register-request', { body }),
    onSuccess: () => {
      form.current?.reset();
      toast({ title: SUBMITTED, description: WHAT_FOLLOWS });
    },
    onError: (error) => {
      setProblems(problemsIn(error));
      toast({
        title: 'Registration request failed',
        description: failureOf(error),
        variant: 'destructive',
      });
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Text fields only, so every value is a string.
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const fullName = (typed.fullName ?? '').trim();
    const email = (typed.email ?? '').trim();
    const isEmail = form.current?.querySelector<HTMLInputElement>('[name=email]')?.validity.valid ?? true;
    const found: Problems = {
      ...(fullName === '' ? { fullName: 'Please enter your full name.' } : {}),
      ...(email === '' ? { email: 'Please enter your email address.' } : {}),
      ...(email !== '' && !isEmail ? { email: 'Please enter a valid email address.' } : {}),
    };
    setProblems(found);
    request.reset();
    const first = Object.keys(found)[0];
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    else request.mutate({ fullName, email });
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5 pt-7">
      <h2 className="text-2xl">Request Access</h2>
      <Notice tone="amber" isQuiet>
        Registration requires the teacher’s approval. Once approved, your login credentials arrive by email.
      </Notice>
      <TextField
        label="Full name"
        name="fullName"
        autoComplete="name"
        maxLength={NAME_MAX}
        aria-required
        error={problems.fullName}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        maxLength={254}
        aria-required
        error={problems.email}
      />
      {request.isError && (
        <Notice tone="danger" title="Registration request failed">
          {failureOf(request.error)}
        </Notice>
      )}
      {request.isSuccess && (
        <Notice tone="success" title={SUBMITTED}>
          {WHAT_FOLLOWS}
        </Notice>
      )}
      <Button type="submit" variant="primary" isWide busy={request.isPending} className="mt-1 text-base">
        Submit Request
      </Button>
    </form>
  );
}

const failureOf = (error: unknown) => sentenceOf(error, 'Your request could not be sent. Please try again.');

const problemsIn = (error: unknown): Problems =>
  Object.fromEntries(
    issuesOf(error)
      .filter(({ path }) => path === 'fullName' || path === 'email')
      .map(({ path, message }) => [path, message]),
  );
