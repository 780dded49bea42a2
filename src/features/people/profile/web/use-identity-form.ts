import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { issuesOf, sentenceOf } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import type { User } from '#features/accounts/contract.ts';
import { FIRST_NAME_MISSING } from '../limits.ts';

export type TypedIdentity = { firstName: string; lastName: string; email: string };
export type IdentityProblems = Partial<Record<keyof TypedIdentity | 'username' | 'currentPassword', string>>;

/** What is typed of a name and an email, and what becomes of it once it is sent. */
export function useIdentityForm(
  user: User,
  form: {
    /** Said when the server refuses. */
    failed: string;
    /** What else is missing; the server says the rest. */
    missing?: () => IdentityProblems;
    save: (identity: { firstName: string; lastName: string | null; email: string }) => Promise<User>;
    refreshes: readonly `/api/${string}`[];
    onSaved: (changed: User) => void;
  },
) {
  const ref = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(typedOf(user));
  const [problems, setProblems] = useState<IdentityProblems>({});
  const focusWrong = () =>
    requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());

  const saving = useMutation({
    // Without a last name it is a single one.
    mutationFn: () =>
      form.save({
        firstName: typed.firstName.trim(),
        lastName: typed.lastName.trim() || null,
        email: typed.email.trim(),
      }),
    meta: { refreshes: form.refreshes },
    onSuccess: (changed) => {
      setTyped(typedOf(changed));
      form.onSaved(changed);
    },
    onError: (error) => {
      setProblems(Object.fromEntries(issuesOf(error).map(({ path, message }) => [path, message])));
      focusWrong();
      toast({
        title: form.failed,
        description: sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found: IdentityProblems = {
      ...(typed.firstName.trim() === '' && { firstName: FIRST_NAME_MISSING }),
      ...(typed.email.trim() === '' && { email: 'Email is required' }),
      ...form.missing?.(),
    };
    saving.reset();
    setProblems(found);
    if (Object.keys(found).length === 0) saving.mutate();
    else focusWrong();
  };
  return {
    ref,
    typed,
    problems,
    saving,
    submit,
    edit: (part: Partial<TypedIdentity>) => setTyped({ ...typed, ...part }),
    /** Of a refusal that is about no field. */
    failure:
      saving.isError && Object.keys(problems).length === 0
        ? sentenceOf(saving.error, 'Please try again.')
        : null,
  };
}

const typedOf = ({ firstName, lastName, email }: User): TypedIdentity => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  email,
});
