import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, type CallError, issuesOf, getErrorMessage } from '#web/api/call.ts';
import { useLinkToken } from '#web/navigation/link-token.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { usePageTitle } from '#web/navigation/page-title.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { VisitorLayout, VisitorHeading } from '#web/layout/visitor-layout.tsx';
import { UNSUBSCRIBE_LINK_INVALID_MESSAGE } from '../limits.ts';

/**
 * Page behind the unsubscribe link in news emails. Opening it changes nothing and does not show whose link it
 * is, because mail scanners also open links.
 */
export default function UnsubscribePage() {
  const token = useLinkToken();
  const choice = useMutation({
    mutationFn: (wantsNewsMail: boolean) => callApi('PUT /api/news-mail', { body: { token, wantsNewsMail } }),
    meta: { refreshes: [] },
    onSuccess: ({ wantsNewsMail }) => {
      setChosen(wantsNewsMail);
      // Refetches the user if one is signed in, because the settings page shows this choice too.
      if (queryClient.getQueryData(sessionQuery.queryKey)) void queryClient.invalidateQueries(sessionQuery);
    },
  });
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isInvalid = token === '' || isLinkError(choice.error);
  const { title, description } = usePageText(chosen);
  usePageTitle(title);
  return (
    <VisitorLayout>
      <div className="grid w-full max-w-[27rem] content-start gap-5 lg:min-h-[34rem]">
        <VisitorHeading key={title} isNext={chosen !== null}>
          {title}
        </VisitorHeading>
        <p>{description}</p>
        {isInvalid && <InvalidLink />}
        {choice.isError && !isInvalid && (
          <Notice tone="danger" title="This couldn’t be saved. Please try again.">
            {getErrorMessage(choice.error, undefined)}
          </Notice>
        )}
        {!isInvalid && (
          <>
            <p className="text-soft">
              You’ll still get emails about your account, such as a link for a new password.
            </p>
            <Button
              variant={chosen === false ? 'secondary' : 'primary'}
              isWide
              busy={choice.isPending}
              onClick={() => choice.mutate(chosen === false)}
              className="mt-1 text-base"
            >
              {chosen === false ? 'Start these emails again' : 'Stop these emails'}
            </Button>
          </>
        )}
      </div>
    </VisitorLayout>
  );
}

function usePageText(chosen: boolean | null) {
  const { appName } = usePageSettings();
  if (chosen === null)
    return {
      title: 'Email notifications',
      description: `${appName} emails you when something is waiting for you there, at most once an hour. You can stop these emails here, without signing in.`,
    };
  return chosen
    ? {
        title: 'Email notifications are on',
        description: `You’ll get an email again when something is waiting for you in ${appName}, at most once an hour.`,
      }
    : {
        title: 'Email notifications are off',
        description: `You won’t get these emails anymore. When you open ${appName}, you’ll still see what is waiting for you.`,
      };
}

function InvalidLink() {
  const { appName } = usePageSettings();
  return (
    <Notice tone="danger" title={UNSUBSCRIBE_LINK_INVALID_MESSAGE}>
      <p>Part of the link may be missing. You can also stop these emails in Settings, after you sign in.</p>
      <ButtonLink href="/" className="mt-3 mb-1">
        Open {appName}
      </ButtonLink>
    </Notice>
  );
}

/** Returns whether the server rejected the link itself. */
const isLinkError = (error: CallError | null) =>
  error?.status === 404 || issuesOf(error).some(({ path }) => path === 'token');
