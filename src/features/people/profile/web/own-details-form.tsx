import { useRef, useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { useUser } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PasswordField, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useFocusOnHash } from '#web/navigation/focus-on-hash.ts';
import { OWN_NAME_ANCHOR } from '../limits.ts';
import { IdentityFields } from './identity-fields.tsx';
import { useIdentityForm } from './use-identity-form.ts';

const FAILED = 'Failed to change your account';

/** Form for a teacher's own names, username and email. */
export function OwnDetailsForm() {
  const user = useUser();
  const { sendsMail } = usePageSettings();
  const [username, setUsername] = useState(user.username);
  const [currentPassword, setCurrentPassword] = useState('');
  const firstName = useRef<HTMLInputElement>(null);
  useFocusOnHash(OWN_NAME_ANCHOR, firstName);
  const { form, typed, saving, failure, edit } = useIdentityForm(user, {
    failureTitle: FAILED,
    otherValues: { username: username.trim(), currentPassword },
    schema: async () => (await import('../contract.ts')).profileApi.changeOwn.body,
    save: (body) => callApi('PUT /api/admin/account', { body }),
    refreshes: ['/api/user', '/api/admin/users', '/api/admin/audit-log', '/api/admin/mail'],
    onSaved: (changed) => {
      setUsername(changed.username);
      setCurrentPassword('');
      toast({ title: 'Account changed' });
    },
  });
  return (
    <Card as="section" aria-labelledby="own-account">
      <h2 id="own-account" className="text-2xl">
        Your details
      </h2>
      <p className="mt-1 mb-5 text-soft">
        Students see your name.{' '}
        {sendsMail && 'If you change your email or username, we’ll write to your current email address.'}
      </p>
      <form {...form.props} className="grid gap-5">
        <IdentityFields ref={firstName} typed={typed} problems={form.problems} onChange={edit} />
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          aria-required
          value={username}
          error={form.problems.username}
          onChange={(event) => setUsername(event.target.value)}
        />
        <PasswordField
          label="Your password"
          name="currentPassword"
          autoComplete="current-password"
          aria-required
          hint="This protects your account if you leave your device open."
          value={currentPassword}
          error={form.problems.currentPassword}
          onChange={(event) => setCurrentPassword(event.target.value)}
        />
        {failure && (
          <Notice tone="danger" title={FAILED}>
            {failure}
          </Notice>
        )}
        {saving.isSuccess && <Notice tone="success" title="Account changed" />}
        <Button type="submit" busy={saving.isPending} className="max-sm:w-full sm:justify-self-start">
          Save
        </Button>
      </form>
    </Card>
  );
}
