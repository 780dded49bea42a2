import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, sentenceOf } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';

/** For a student who has lost the phone. */
export function RemoveStudentPasskeys({ student }: { student: { id: string; name: string } }) {
  const [isAsked, setIsAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/admin/users/{id}/passkeys', { params: { id: student.id } }),
    meta: { refreshes: ['/api/admin/audit-log'] },
    onSuccess: () => toast({ title: 'Passkeys Removed', description: `${student.name} has none now.` }),
    onSettled: () => setIsAsked(false),
  });
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Remove passkeys</Button>
      {remove.isError && (
        <p role="alert" className="w-full text-sm font-semibold text-danger">
          {sentenceOf(remove.error, 'This did not work. Please try again.')}
        </p>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setIsAsked}
        sentence={`Remove all passkeys of ${student.name}?`}
        note="The password, mailed links and codes go on working."
        confirmLabel="Remove"
        isDangerous
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
