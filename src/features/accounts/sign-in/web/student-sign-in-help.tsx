import { type ReactNode, useState } from 'react';
import { formatDisplayName } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { useSignInCodeDialog } from './use-sign-in-code-dialog.tsx';
import { useMutation } from '@tanstack/react-query';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';

type StudentSignInHelpProps = {
  student: {
    id: string;
    firstName: string | null;
    lastName: string | null;
    username: string;
    isActive: boolean;
    hasPasskeys: boolean;
  };
  /** Buttons for other ways to help. */
  children?: ReactNode;
};

/** Section in which a teacher helps a student to sign in. */
export function StudentSignInHelp({ student, children }: StudentSignInHelpProps) {
  const name = formatDisplayName(student);
  const { open, isLoading, dialog } = useSignInCodeDialog({ id: student.id, name });
  return (
    <section aria-labelledby="signing-in" className="mt-5 border-t border-line pt-5">
      <h3 id="signing-in" className="text-xl">
        Signing in
      </h3>
      <p className="text-sm text-soft">
        {student.isActive ? (
          <>
            <bdi>{name}</bdi> can sign in once with a code, without a password.
          </>
        ) : (
          'They can’t sign in until you enable the account.'
        )}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {student.isActive && (
          <Button busy={isLoading} onClick={open}>
            Show a sign-in code
          </Button>
        )}
        {student.hasPasskeys && <RemoveStudentPasskeys student={{ id: student.id, name }} />}
        {children}
      </div>
      {dialog}
    </section>
  );
}

/** Removes a student's passkeys, for example if the phone with them is lost. */
function RemoveStudentPasskeys({ student }: { student: { id: string; name: string } }) {
  const [isAsked, setIsAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/admin/users/{id}/passkeys', { params: { id: student.id } }),
    meta: { refreshes: ['/api/admin/audit-log', '/api/admin/users'] },
    onSuccess: () =>
      toast({
        title: 'Passkeys removed',
        description: `${student.name} can still sign in with a password, an emailed link or a code.`,
      }),
    onSettled: () => setIsAsked(false),
  });
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Remove passkeys</Button>
      {remove.isError && (
        <p role="alert" className="w-full text-sm font-semibold text-danger">
          {getErrorMessage(remove.error, 'This did not work. Please try again.')}
        </p>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setIsAsked}
        sentence={`Remove all of ${student.name}’s passkeys?`}
        note="Their password, emailed links and codes will still work."
        confirmLabel="Remove"
        isDangerous
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
