import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { SignInPage } from '#features/accounts/sign-in/web/sign-in-page.tsx';
import { ExistingPathsContext } from '#web/navigation/existing-paths.ts';
import { FullScreenLoading, PageLoading } from '#web/layout/loading.tsx';
import { PageErrorBoundary } from '#web/layout/page-error-boundary.tsx';
import { type LazyPage, createLazyComponent } from '#web/navigation/lazy-component.ts';
import { updateAppBadge } from '#web/layout/update-app-badge.ts';
import { storeLastUser } from '#web/offline/last-user.ts';
import { completePendingSignOut } from '#web/offline/pending-sign-out.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';

type Route = { path: string; page: LazyPage; loading?: string };

/** Routes that need no sign-in. */
const publicRoutes: readonly Route[] = [
  {
    path: '/forgot-password',
    page: createLazyComponent(() => import('#features/accounts/passwords/web/forgot-password-page.tsx')),
  },
  {
    path: '/reset-password',
    page: createLazyComponent(() => import('#features/accounts/passwords/web/reset-password-page.tsx')),
  },
  {
    path: '/unsubscribe',
    page: createLazyComponent(() => import('#features/messages/notifications/web/unsubscribe-page.tsx')),
  },
];

/**
 * Routes for signed-in users of every role. A page opened by a user of the wrong role shows a message instead of
 * its content.
 */
const signedInRoutes: readonly Route[] = [
  {
    path: '/',
    page: createLazyComponent(() => import('#features/home/web/home-page.tsx')),
    loading: 'Loading sacred space...',
  },
  { path: '/melodies', page: createLazyComponent(() => import('#features/library/web/melodies-page.tsx')) },
  {
    path: '/submit',
    page: createLazyComponent(() => import('#features/my-recordings/web/submit/submit-page.tsx')),
  },
  {
    path: '/feedback',
    page: createLazyComponent(() => import('#features/my-recordings/web/feedback-page.tsx')),
  },
  {
    path: '/past-recordings',
    page: createLazyComponent(() => import('#features/my-recordings/web/past-recordings-page.tsx')),
  },
  {
    path: '/admin/registrations',
    page: createLazyComponent(() => import('#features/people/registrations/web/registrations-page.tsx')),
  },
  {
    path: '/past-feedback',
    page: createLazyComponent(() => import('./pages/past-feedback-page.tsx')),
  },
  { path: '/admin', page: createLazyComponent(() => import('./pages/inbox-page.tsx')) },
  {
    path: '/admin/add-melody',
    page: createLazyComponent(() => import('#features/melodies/web/add-melody-page.tsx')),
  },
  { path: '/admin/users', page: createLazyComponent(() => import('./pages/users-page.tsx')) },
  {
    path: '/admin/invite',
    page: createLazyComponent(() => import('#features/people/invitations/web/invite-page.tsx')),
  },
  {
    path: '/change-password',
    page: createLazyComponent(() => import('./pages/change-password-page.tsx')),
  },
];

const RequestAccessForm = createLazyComponent(
  () => import('#features/people/registrations/web/request-access-form.tsx'),
);
const Layout = createLazyComponent(() => import('./layout/layout.tsx'));
const notFound: Route = {
  path: '*',
  page: createLazyComponent(() => import('#web/layout/not-found-page.tsx')),
};

/** Paths of all pages. Menus and links leave out other paths. */
const existingPaths = [...publicRoutes, ...signedInRoutes].map(({ path }) => path);

export function App() {
  return (
    <ExistingPathsContext value={existingPaths}>
      <PageErrorBoundary>
        <Suspense fallback={<FullScreenLoading />}>
          <CurrentPage />
        </Suspense>
      </PageErrorBoundary>
    </ExistingPathsContext>
  );
}

/**
 * Loads the code of a page before it is shown. If the page needs a sign-in, also loads the code of the
 * layout, but loads nothing for a visitor. Resolves when loading has succeeded or failed.
 */
export async function preloadPage(address: string): Promise<void> {
  const isVisitor = queryClient.getQueryData(sessionQuery.queryKey) === null;
  const open = findRoute(publicRoutes, address);
  if (open) return open.page.preload();
  if (isVisitor) return;
  await Promise.all([Layout.preload(), findRoute(signedInRoutes, address)?.page.preload()]);
}

function CurrentPage() {
  const [address] = useLocation();
  const session = useQuery(sessionQuery);
  const open = findRoute(publicRoutes, address);
  const isVisitor = session.data === null;
  useEffect(() => {
    if (!isVisitor) return;
    // Clears the last user. Otherwise the next visitor who is offline would be treated as that user.
    void storeLastUser(null);
    void completePendingSignOut();
    // Clears the badge, because a session may have ended while no page was open.
    void updateAppBadge(0);
  }, [isVisitor]);
  if (open) return <open.page />;
  // Throws the error to the page's error boundary, which offers a retry.
  if (session.isError) throw session.error;
  if (session.data === undefined) return <FullScreenLoading />;
  if (session.data === null) return <SignInPage requestAccess={<RequestAccessForm />} />;
  if (address === '/auth') return <Redirect to="/" replace />;
  return <SignedIn address={address} />;
}

function SignedIn({ address }: { address: string }): ReactNode {
  const { page: Page, loading } = findRoute(signedInRoutes, address) ?? notFound;
  return (
    <Layout>
      <PageErrorBoundary key={address}>
        <Suspense fallback={<PageLoading>{loading}</PageLoading>}>
          <Page />
        </Suspense>
      </PageErrorBoundary>
    </Layout>
  );
}

const findRoute = (routes: readonly Route[], address: string) =>
  routes.find(({ path }) => path === (address.replace(/\/+$/, '') || '/'));
