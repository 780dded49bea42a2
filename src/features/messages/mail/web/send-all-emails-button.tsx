import { useMutation } from '@tanstack/react-query';
import { callApi } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { getMailActionFailureMessage } from './use-mail-change.ts';

/**
 * Button that resends all emails of a list, in batches as large as the server allows. Pressing it after a
 * failure sends the rest.
 */
export function SendAllEmailsButton({ which }: { which: 'outbox' | 'undeliverable' }) {
  const sending = useMutation({
    mutationFn: async () => {
      let [sent, failed] = [0, 0];
      let before: number | null | undefined;
      while (before !== null) {
        const answer = await callApi('POST /api/admin/mail/send-again', {
          body: { which, ...(before !== undefined && { before }) },
        });
        sent += answer.sent;
        failed += answer.failed;
        ({ before } = answer);
      }
      return { sent, failed };
    },
    meta: { refreshes: ['/api/admin/mail', '/api/admin/users', '/api/admin/audit-log'] },
    onSuccess: ({ sent, failed }) =>
      toast({
        title: `${sent.toLocaleString('en')} ${sent === 1 ? 'email is' : 'emails are'} being sent`,
        ...(failed > 0 && {
          description: `${failed.toLocaleString('en')} couldn’t be sent and ${failed === 1 ? 'stays' : 'stay'} on the list.`,
          variant: 'destructive' as const,
        }),
      }),
    onError: (error) => toast({ title: getMailActionFailureMessage(error), variant: 'destructive' }),
  });
  return (
    <Button variant="quiet" busy={sending.isPending} onClick={() => sending.mutate()} className="text-lapis!">
      Send all
    </Button>
  );
}
