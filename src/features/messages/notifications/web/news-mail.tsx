import { useMutation } from '@tanstack/react-query';
import { useSettings } from '#web/api/page-data.ts';
import { call, sentenceOf } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery, useUser } from '#web/api/session.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';

/** Checkbox for news by mail: saved at once, and reverted if that fails. */
export function NewsMail() {
  const { role, wantsNewsMail } = useUser();
  const { sendsMail } = useSettings();
  const choice = useMutation({
    mutationFn: (wants: boolean) => call('PUT /api/user/notifications', { body: { wantsNewsMail: wants } }),
    onMutate: show,
    onError: (_error, wants) => show(!wants),
  });
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">Mail</legend>
      <Checkbox
        label={role === 'admin' ? 'Tell me when recordings wait' : 'Tell me when there is feedback'}
        hint={
          sendsMail ? 'At most once an hour, and never what was said. Kept with your account.' : NO_SERVER
        }
        checked={wantsNewsMail}
        disabled={choice.isPending}
        onChange={(event) => choice.mutate(event.target.checked)}
      />
      {choice.isError && (
        <p role="alert" className="mt-1 text-sm font-semibold text-danger">
          {sentenceOf(choice.error, 'This could not be saved. Please try again.')}
        </p>
      )}
    </fieldset>
  );
}

const NO_SERVER =
  'This community has no mail server, so no such mail is sent. What you choose is kept for the day there is one.';

const show = (wantsNewsMail: boolean) =>
  queryClient.setQueryData(sessionQuery.queryKey, (user) => user && { ...user, wantsNewsMail });
