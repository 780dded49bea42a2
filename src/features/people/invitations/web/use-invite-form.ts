import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiResponse, callApi, getErrorMessage } from '#web/api/call.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { MAX_INVITES } from '../limits.ts';
import {
  type InviteRow,
  invitesDraftOptions,
  isInviteComplete,
  createInviteRow,
  type InviteRowDraft,
  resolveRowLevels,
} from './invite-rows.ts';

export const SEND_INVITES_FAILED_TITLE = 'Failed to send invites';

/** Manages the rows of the form and sends them. */
export function useInviteForm(levels: readonly Level[]) {
  const draft = useFormDraft(invitesDraftOptions);
  const rows = draft.value.map((row) => resolveRowLevels(row, levels));
  const { sendsMail } = usePageSettings();
  const [sent, setSent] = useState<readonly InviteRow[]>([]);
  const complete = rows.filter(isInviteComplete).slice(0, MAX_INVITES);

  const change = (next: (before: readonly InviteRowDraft[]) => InviteRowDraft[]) =>
    draft.change(next(draft.latest()));

  const sending = useMutation({
    mutationFn: (invites: readonly InviteRow[]) =>
      callApi('POST /api/admin/invite-users', { body: { invites: invites.map(toInvite) } }),
    meta: { refreshes: ['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log'] },
    onSuccess: ({ successCount, failureCount, results }, invites) => {
      const failures = mapFailures(invites, results);
      const wasInvited = ({ key }: { key: string }) =>
        invites.some((invite) => invite.key === key) && !failures.has(key);
      setSent((before) => [...invites.filter(wasInvited), ...before]);
      change((before) => {
        const remaining = before
          .filter((row) => !wasInvited(row))
          .map((row) => (failures.has(row.key) ? { ...row, failure: failures.get(row.key) } : row));
        return remaining.length > 0 ? remaining : [createInviteRow()];
      });
      toast({
        title: describeInviteCounts(successCount, failureCount),
        ...(!sendsMail && successCount > 0 && { description: NO_MAIL_SERVER }),
        ...(failureCount > 0 ? { variant: 'destructive' as const } : {}),
      });
    },
    onError: (error) =>
      toast({
        title: SEND_INVITES_FAILED_TITLE,
        description: getErrorMessage(error, 'Please try again.'),
        variant: 'destructive',
      }),
  });

  const form = useForm({
    values: { invites: complete },
    schema: async () => (await import('../contract.ts')).invitationsApi.invite.body,
    onValid: ({ invites }) => sending.mutate(invites),
    onInvalid: ({ invites }) => {
      sending.reset();
      if (invites) toast({ title: invites, variant: 'destructive' });
    },
  });

  return {
    form,
    rows,
    sent,
    sending,
    /** The error that explains why nothing can be sent; undefined once a row is complete. */
    problem: complete.length === 0 ? form.problems.invites : undefined,
    completeCount: complete.length,
    canAdd: rows.length < MAX_INVITES,
    add: () => change((before) => [...before, createInviteRow()]),
    remove: (key: string) => change((before) => before.filter((row) => row.key !== key)),
    edit: (key: string, part: Partial<InviteRowDraft>) =>
      change((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row))),
  };
}

const NO_MAIL_SERVER = 'Email isn’t set up. Please pass the emails on yourself.';

/** Returns '1 invite sent', '2 invites sent, 1 failed' or '1 invite failed'. */
export function describeInviteCounts(successCount: number, failureCount: number) {
  const invites = (count: number) => `${count} ${count === 1 ? 'invite' : 'invites'}`;
  if (failureCount === 0) return `${invites(successCount)} sent`;
  if (successCount === 0) return `${invites(failureCount)} failed`;
  return `${invites(successCount)} sent, ${failureCount} failed`;
}

const toInvite = ({ email, firstName, lastName, transmissionLevels }: InviteRow) => ({
  email: email.trim(),
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  transmissionLevels,
});

/** Returns the errors of failed rows, by row key. The results are in the order of the rows. */
function mapFailures(
  invites: readonly InviteRow[],
  results: ApiResponse<'POST /api/admin/invite-users'>['results'],
) {
  const failed = invites.flatMap(({ key }, index) => {
    const result = results[index];
    return result?.ok ? [] : [[key, result?.message ?? 'This invite wasn’t sent.'] as const];
  });
  return new Map(failed);
}
