import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiResponse, callApi, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { MAX_PASSKEY_NAME_LENGTH } from '../limits.ts';

type Passkey = ApiResponse<'GET /api/user/passkeys'>[number];

const REFRESHED_PATHS = ['/api/user/passkeys'] as const;

export function PasskeyRow({ passkey: { id, name, createdAt, usedAt } }: { passkey: Passkey }) {
  const [isRenaming, setIsRenaming] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/user/passkeys/{id}', { params: { id } }),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: () => toast({ title: 'Passkey removed' }),
    onSettled: () => setIsAsked(false),
  });
  return (
    <li className="py-3">
      {isRenaming ? (
        <RenameForm id={id} name={name} onDone={() => setIsRenaming(false)} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-2">
          <div className="min-w-0 grow">
            <p dir="auto" className="font-semibold break-words">
              {name}
            </p>
            <p className="text-sm text-soft">
              {usedAt ? 'Used ' : 'Added '}
              <TimeAgo time={usedAt ?? createdAt} />
            </p>
          </div>
          <Button
            data-item={id}
            variant="quiet"
            aria-label={`Rename ${name}`}
            onClick={() => setIsRenaming(true)}
          >
            Rename
          </Button>
          <Button
            variant="quiet"
            aria-label={`Remove ${name}`}
            onClick={() => setIsAsked(true)}
            className="text-danger!"
          >
            Remove
          </Button>
        </div>
      )}
      {remove.isError && (
        <p role="alert" className="text-sm font-semibold text-danger">
          {getErrorMessage(remove.error, 'This did not work. Please try again.')}
        </p>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setIsAsked}
        sentence={`Remove the passkey “${name}”?`}
        note="You won’t be able to sign in with it. Your device may still list it."
        confirmLabel="Remove"
        isDangerous
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </li>
  );
}

function RenameForm({ id, name, onDone }: { id: number; name: string; onDone: () => void }) {
  const [typed, setTyped] = useState(name);
  const rename = useMutation({
    mutationFn: (body: { name: string }) => callApi('PUT /api/user/passkeys/{id}', { params: { id }, body }),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: onDone,
    onError: (error) => form.show({ name: getErrorMessage(error, 'This did not work. Please try again.') }),
  });
  const form = useForm({
    values: { name: typed.trim() },
    schema: async () => (await import('../contract.ts')).passkeysApi.rename.body,
    onValid: (body) => rename.mutate(body),
  });
  return (
    <form {...form.props} className="grid gap-3">
      <TextField
        label="Name"
        name="name"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        limit={MAX_PASSKEY_NAME_LENGTH}
        autoComplete="off"
        autoFocus
        error={form.problems.name}
      />
      <div className="flex gap-3">
        <Button type="submit" busy={rename.isPending}>
          Save
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
