import type { ReactNode } from 'react';
import { displayName } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { RemoveStudentPasskeys } from '#features/accounts/passkeys/web/remove-student-passkeys.tsx';
import { useCodeDialog } from './show-code.tsx';

type StudentSignInProps = {
  student: {
    id: string;
    firstName: string | null;
    lastName: string | null;
    username: string;
    isActive: boolean;
  };
  /** Other ways to help. */
  children?: ReactNode;
};

/** How a teacher helps a student in. */
export function StudentSignIn({ student, children }: StudentSignInProps) {
  const name = displayName(student);
  const { open, isLoading, dialog } = useCodeDialog({ id: student.id, name });
  return (
    <section aria-labelledby="signing-in" className="mt-5 border-t border-line pt-5">
      <h3 id="signing-in" className="text-xl">
        Signing in
      </h3>
      <p className="text-sm text-soft">
        {student.isActive ? (
          <>
            A code by which <bdi>{name}</bdi> signs in once, without a password.
          </>
        ) : (
          'While the account is disabled, there is no way in.'
        )}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {student.isActive && (
          <Button busy={isLoading} onClick={open}>
            Show a sign-in code
          </Button>
        )}
        <RemoveStudentPasskeys student={{ id: student.id, name }} />
        {children}
      </div>
      {dialog}
    </section>
  );
}
