import { useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { User } from '#features/accounts/contract.ts';
import { IdentityFields } from './identity-fields.tsx';
import { useIdentityForm } from './use-identity-form.ts';

type EditStudentButtonProps = { student: User; onChanged: (student: User) => void };

const FAILED = 'Failed to change the account';

/** Button and dialog to change a student's names and email. */
export function EditStudentButton(props: EditStudentButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="-ms-3 text-lapis!"
      >
        Change name or email
      </Button>
      {isOpen && <ChangeStudentDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ChangeStudentDialog({
  student,
  onChanged,
  onClose,
}: EditStudentButtonProps & { onClose: () => void }) {
  const { sendsMail } = usePageSettings();
  const { form, typed, saving, failure, edit } = useIdentityForm(student, {
    failureTitle: FAILED,
    otherValues: {},
    schema: async () => (await import('../contract.ts')).profileApi.changeStudent.body,
    save: (body) => callApi('PUT /api/admin/users/{id}', { params: { id: student.id }, body }),
    refreshes: ['/api/admin/audit-log', '/api/admin/mail'],
    onSaved: (changed) => {
      onChanged(changed);
      toast({ title: 'Account changed', description: formatDisplayName(changed) });
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Name and email of ${formatDisplayName(student)}`}
      description={
        sendsMail
          ? 'The username stays the same. If you change the email, we’ll notify the old address, and links already sent there stop working.'
          : 'The username stays the same. If you change the email, links already sent to the old address stop working.'
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="change-student" variant="primary" busy={saving.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id="change-student" {...form.props} className="grid gap-5">
        <IdentityFields typed={typed} problems={form.problems} onChange={edit} />
        {failure && (
          <Notice tone="danger" title={FAILED}>
            {failure}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
