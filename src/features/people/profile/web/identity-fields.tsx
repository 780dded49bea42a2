import type { Ref } from 'react';
import type { FieldErrors } from '#web/forms/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';
import type { IdentityFormValues } from './use-identity-form.ts';

type IdentityFieldsProps = {
  /** Ref to the first field. */
  ref?: Ref<HTMLInputElement>;
  typed: IdentityFormValues;
  problems: FieldErrors<IdentityFormValues>;
  onChange: (part: Partial<IdentityFormValues>) => void;
};

export const IdentityFields = ({ ref, typed, problems, onChange }: IdentityFieldsProps) => (
  <>
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        ref={ref}
        label="First name"
        name="firstName"
        autoComplete="off"
        aria-required
        limit={MAX_NAME_LENGTH}
        value={typed.firstName}
        error={problems.firstName}
        onChange={(event) => onChange({ firstName: event.target.value })}
      />
      <TextField
        label="Last name"
        name="lastName"
        autoComplete="off"
        isOptional
        limit={MAX_NAME_LENGTH}
        value={typed.lastName}
        error={problems.lastName}
        onChange={(event) => onChange({ lastName: event.target.value })}
      />
    </div>
    <TextField
      label="Email"
      name="email"
      type="email"
      autoComplete="off"
      autoCapitalize="none"
      aria-required
      maxLength={254}
      value={typed.email}
      error={problems.email}
      onChange={(event) => onChange({ email: event.target.value })}
    />
  </>
);
