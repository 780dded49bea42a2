import { type ReactNode, Suspense, useState } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import { usePageTitle } from '#web/navigation/page-title.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { RECORDING_LENGTH_NOTE } from '#web/layout/brand-panel.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { VisitorLayout } from '#web/layout/visitor-layout.tsx';

type View = 'sign-in' | 'request-access';

/** Page that visitors see at every path that is not public. */
export function SignInPage({ requestAccess }: { requestAccess: ReactNode }) {
  const [view, setView] = useState<View>('sign-in');
  // The panel loads its code when it is first opened. It then stays mounted, so that the typed text is kept.
  const [wasOpened, setWasOpened] = useState(false);
  const { appName } = usePageSettings();
  usePageTitle(view === 'sign-in' ? 'Sign In' : 'Request Access');
  return (
    <VisitorLayout>
      <h1 className="sr-only">{appName}</h1>
      <Tabs<View>
        label="Sign in or request access"
        className="w-full max-w-[27rem] lg:min-h-[34rem]"
        value={view}
        onChange={(next) => {
          setView(next);
          if (next === 'request-access') setWasOpened(true);
        }}
        tabs={[
          { value: 'sign-in', label: 'Sign In', panel: <SignInMethods /> },
          {
            value: 'request-access',
            label: 'Request Access',
            panel: wasOpened && (
              <Suspense fallback={<Spinner className="mx-auto mt-20" />}>{requestAccess}</Suspense>
            ),
          },
        ]}
      />
      <p className="mt-8 w-full max-w-[27rem] border-t border-line pt-5 text-sm text-soft lg:hidden">
        {RECORDING_LENGTH_NOTE}
      </p>
    </VisitorLayout>
  );
}
