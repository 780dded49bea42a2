import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, call, sentenceOf } from '#web/api/call.ts';
import { useSettings } from '#web/api/page-data.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { INVITES_MAX } from '../limits.ts';
import {
  type InviteRow,
  invitesDraft,
  isComplete,
  newRow,
  type TypedRow,
  withLevels,
} from './invite-rows.ts';

export const FAILED = 'Failed to send invites';

/** Manages the rows of the form and sends them. */
export function useInvites(levels: readonly Level[]) {
  const draft = useDraft(invitesDraft);
  const rows = draft.value.map((row) => withLevels(row, levels));
  const { sendsMail } = useSettings();
  const [sent, setSent] = useState<readonly InviteRow[]>([]);
  const complete = rows.filter(isComplete).slice(0, INVITES_MAX);

  const change = (next: (before: readonly TypedRow[]) => TypedRow[]) => draft.change(next(draft.latest()));

  const sending = useMutation({
    mutationFn: (invites: readonly InviteRow[]) =>
      call('POST /api/admin/invite-users', { body: { invites: invites.map(asSent) } }),
    meta: { refreshes: ['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log'] },
    onSuccess: ({ successCount, failureCount, results }, invites) => {
      const failures = failuresOf(invites, results);
      const isGone = ({ key }: { key: string }) =>
        invites.some((invite) => invite.key === key) && !failures.has(key);
      setSent((before) => [...invites.filter(isGone), ...before]);
      change((before) => {
        const left = before
          .filter((row) => !isGone(row))
          .map((row) => (failures.has(row.key) ? { ...row, failure: failures.get(row.key) } : row));
        return left.length > 0 ? left : [newRow()];
      });
      toast({
        title: countsSentence(successCount, failureCount),
        ...(!sendsMail && successCount > 0 && { description: NOT_BY_ITSELF }),
        ...(failureCount > 0 ? { variant: 'destructive' as const } : {}),
      });
    },
    onError: (error) =>
      toast({
        title: FAILED,
        description: sentenceOf(error, 'Please try again.'),
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
    /** Why nothing can be sent; undefined once a row is complete. */
    problem: complete.length === 0 ? form.problems.invites : undefined,
    completeCount: complete.length,
    canAdd: rows.length < INVITES_MAX,
    add: () => change((before) => [...before, newRow()]),
    remove: (key: string) => change((before) => before.filter((row) => row.key !== key)),
    edit: (key: string, part: Partial<TypedRow>) =>
      change((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row))),
  };
}

const NOT_BY_ITSELF = 'Email isn’t set up. Please pass the emails on yourself.';

/** Returns '1 invite sent', '2 invites sent, 1 failed' or '1 invite failed'. */
export function countsSentence(successCount: number, failureCount: number) {
  const invites = (count: number) => `${count} ${count === 1 ? 'invite' : 'invites'}`;
  if (failureCount === 0) return `${invites(successCount)} sent`;
  if (successCount === 0) return `${invites(failureCount)} failed`;
  return `${invites(successCount)} sent, ${failureCount} failed`;
}

const asSent = ({ email, firstName, lastName, transmissionLevels }: InviteRow) => ({
  email: email.trim(),
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  transmissionLevels,
});

/** Maps rows to their errors. Results come in the order of the rows. */
function failuresOf(
  invites: readonly InviteRow[],
  results: Answer<'POST /api/admin/invite-users'>['results'],
) {
  const failed = invites.flatMap(({ key }, index) => {
    const result = results[index];
    return result?.ok ? [] : [[key, result?.message ?? 'This invite wasn’t sent.'] as const];
  });
  return new Map(failed);
}
