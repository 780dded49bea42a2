import { useMutation } from '@tanstack/react-query';
import { usePageSettings } from '#web/api/page-data.ts';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery, useUser } from '#web/api/session.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';

/** Checkbox for news emails. Saves a change immediately, and reverts it if saving fails. */
export function NotificationEmailSetting() {
  const { role, wantsNewsMail } = useUser();
  const { sendsMail } = usePageSettings();
  const choice = useMutation({
    mutationFn: (wants: boolean) =>
      callApi('PUT /api/user/notifications', { body: { wantsNewsMail: wants } }),
    onMutate: setCachedChoice,
    onError: (_error, wants) => setCachedChoice(!wants),
  });
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">Email</legend>
      <Checkbox
        label={role === 'admin' ? 'Email me when recordings are waiting' : 'Email me when I have feedback'}
        hint={sendsMail ? getHint(role) : NO_SERVER}
        checked={wantsNewsMail}
        disabled={choice.isPending}
        onChange={(event) => choice.mutate(event.target.checked)}
      />
      {choice.isError && (
        <p role="alert" className="mt-1 text-sm font-semibold text-danger">
          {getErrorMessage(choice.error, 'This couldn’t be saved. Please try again.')}
        </p>
      )}
    </fieldset>
  );
}

const getHint = (role: 'admin' | 'student') =>
  role === 'admin'
    ? 'At most once an hour.'
    : 'At most once an hour. The email doesn’t contain the feedback itself.';

const NO_SERVER = 'Email isn’t set up here yet. Your choice applies once it is.';

const setCachedChoice = (wantsNewsMail: boolean) =>
  queryClient.setQueryData(sessionQuery.queryKey, (user) => user && { ...user, wantsNewsMail });
