import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { LazyNoticeList, ServerNotices } from '#features/messages/notices/web/server-notices.tsx';
import { useSendPendingIntegrations } from '#features/my-recordings/web/pending-integrations.ts';
import { usePackSync } from '#features/offline/saved-melodies/web/use-pack-sync.ts';
import { onceDatabaseMayExist } from '#web/device/database-presence.ts';
import { useAppShellCaching } from '#web/offline/cache-app-shell.ts';
import { storeLastUser } from '#web/offline/last-user.ts';
import { sessionQuery, useUser } from '#web/api/session.ts';
import { useLiveChanges } from '#web/live/use-live-changes.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { useAppBadge } from './app-badge.ts';
import { LazyConfirmIdentityDialog } from './lazy-confirm-identity-dialog.tsx';
import { useMenuCounts } from './use-menu-counts.ts';
import { Header } from './header.tsx';
import { LazyPracticeLogDialog } from './lazy-practice-log-dialog.tsx';
import { SideMenu } from './side-menu.tsx';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { useCrossTabSignOut } from '#web/layout/sign-out.ts';
import { callApi, CallError } from '#web/api/call.ts';
import { queryClient, refreshQueries } from '#web/api/query-client.ts';

const OwnPasswordSuggestion = createLazyComponent(
  () => import('#features/accounts/passwords/web/own-password-suggestion.tsx'),
);

/** The layout of every signed-in page. */
export default function Layout({ children }: { children: ReactNode }) {
  const { role, suggestOwnPassword } = useUser();
  useInitialiseInstallation();
  useLiveChanges();
  useAppShellCaching();
  usePackSync(useUser().id);
  useSendPendingIntegrations(useUser().id);
  useRemembered();
  useCrossTabSignOut();
  useAppBadge();
  usePreloadedParts();
  return (
    <>
      <a
        href="#content"
        className="sr-only rounded-md bg-surface px-4 py-3 font-semibold text-lapis focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-50"
      >
        Skip to the content
      </a>
      <aside
        aria-label="Side menu"
        className="fixed inset-y-0 start-0 w-64 overflow-y-auto border-e border-line bg-surface max-lg:hidden"
      >
        <SideMenu />
      </aside>
      <div className="flex min-h-dvh flex-col lg:ps-64">
        <Header />
        <main
          id="content"
          tabIndex={-1}
          className="w-full max-w-6xl grow px-4 pt-5 pb-16 sm:px-6 lg:px-10 lg:pt-2"
        >
          {role === 'admin' && <ServerNotices />}
          {suggestOwnPassword && <LazyBoundary part={OwnPasswordSuggestion} />}
          {children}
          <StoredTakes />
        </main>
      </div>
      <CountChanges />
      <LazyConfirmIdentityDialog />
      <LazyPracticeLogDialog />
    </>
  );
}

export async function preload(): Promise<void> {
  const user = queryClient.getQueryData(sessionQuery.queryKey);
  const hasNotices = (queryClient.getQueryData<unknown[]>(['/api/admin/notices']) ?? []).length > 0;
  await Promise.all([
    (user?.suggestOwnPassword || import.meta.env.SSR) && OwnPasswordSuggestion.preload(),
    (hasNotices || import.meta.env.SSR) && LazyNoticeList.preload(),
  ]);
}

function useRemembered() {
  const user = useUser();
  useEffect(() => void storeLastUser(user), [user]);
}

/** Delay before stored takes are looked up. By then, the page has usually loaded what it needs. */
const STORED_TAKES_DELAY_MS = 2_000;

/** Sends the takes stored on the device and shows those that remain, on every page of a student. */
function StoredTakes() {
  const { role } = useUser();
  const [Part, setPart] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (role === 'admin') return;
    const load = () =>
      void import('#features/my-recordings/web/stored-takes-sender.tsx').then(
        (part) => setPart(() => part.default),
        () => undefined,
      );
    let stopWaiting = () => {};
    const timer = setTimeout(() => (stopWaiting = onceDatabaseMayExist(load)), STORED_TAKES_DELAY_MS);
    return () => {
      clearTimeout(timer);
      stopWaiting();
    };
  }, [role]);
  return Part && <Part />;
}

function CountChanges() {
  const counts = Object.entries(useMenuCounts());
  return counts.map(([path, { count, noun }]) => (
    <ScreenReaderAnnouncement key={path} text={`${count} ${noun}`} />
  ));
}

// Fetches the code of toasts and of the menu a few seconds after the first render, so that the first toast
// and the menu open quickly even on a poor connection.
function usePreloadedParts() {
  useEffect(() => {
    const timer = setTimeout(() => {
      // Does not import anything while offline, because browsers may cache a failed import.
      if (!navigator.onLine) return;
      import('#web/ui/toast-viewport.tsx').catch(() => undefined);
      import('./menu-drawer-panel.tsx').catch(() => undefined);
    }, 3_000);
    return () => clearTimeout(timer);
  }, []);
}

/** Initialises a new installation when a teacher opens the app. Sends one request per page load. */
function useInitialiseInstallation() {
  const isAdmin = useUser().role === 'admin';
  useEffect(() => {
    if (!isAdmin) return;
    const once = { queryKey: ['initialised'], queryFn: () => callApi('POST /api/init') };
    queryClient.fetchQuery(once).then(refetchLevels, (error: unknown) => {
      console.debug('Initialising did not succeed:', error instanceof CallError ? error.message : error);
    });
  }, [isAdmin]);
}

/** Refetches empty lists of levels, which were fetched before the levels were created. */
function refetchLevels() {
  refreshQueries(
    ['/api/admin/transmission-levels', '/api/user/transmission-levels'].filter(
      (address) => queryClient.getQueryData<unknown[]>([address])?.length === 0,
    ),
  );
}
