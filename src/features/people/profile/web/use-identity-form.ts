import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { getErrorMessage } from '#web/api/call.ts';
import { type FormOptions, useForm } from '#web/forms/use-form.ts';
import { toast } from '#web/ui/toasts.ts';
import type { User } from '#features/accounts/contract.ts';

export type IdentityFormValues = { firstName: string; lastName: string; email: string };
/** `lastName` is null if the user has a single name. */
type Identity = { firstName: string; lastName: string | null; email: string };

type IdentityFormOptions<More> = {
  /** Title of the message if the server rejects the change. */
  failureTitle: string;
  /** Values of the fields that this form has in addition to the names and email. */
  otherValues: More;
  schema: NonNullable<FormOptions<Identity & More>['schema']>;
  save: (body: Identity & More) => Promise<User>;
  refreshes: readonly `/api/${string}`[];
  onSaved: (changed: User) => void;
};

/** Manages a form for the names and the email of a user. */
export function useIdentityForm<More extends object>(user: User, options: IdentityFormOptions<More>) {
  const { failureTitle, otherValues, schema, save, refreshes, onSaved } = options;
  const [typed, setTyped] = useState(toFormValues(user));
  const saving = useMutation({
    mutationFn: save,
    meta: { refreshes },
    onSuccess: (changed) => {
      setTyped(toFormValues(changed));
      onSaved(changed);
    },
    onError: (error) => {
      form.showServerErrors(error);
      toast({
        title: failureTitle,
        description: getErrorMessage(error, 'Please try again.'),
        variant: 'destructive',
      });
    },
  });
  const form = useForm<Identity & More>({
    values: {
      firstName: typed.firstName.trim(),
      lastName: typed.lastName.trim() || null,
      email: typed.email.trim(),
      ...otherValues,
    },
    schema,
    onValid: (body) => saving.mutate(body),
    onInvalid: saving.reset,
  });
  return {
    form,
    typed,
    saving,
    edit: (part: Partial<IdentityFormValues>) => setTyped({ ...typed, ...part }),
    /** Error for the whole form, not one field. */
    failure:
      saving.isError && !form.isShownAtField ? getErrorMessage(saving.error, 'Please try again.') : null,
  };
}

const toFormValues = ({ firstName, lastName, email }: User): IdentityFormValues => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  email,
});
