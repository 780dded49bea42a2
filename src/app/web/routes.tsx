import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { SignInPage } from '#features/accounts/sign-in/web/sign-in-page.tsx';
import { ExistingPaths } from '#web/navigation/existing-paths.ts';
import { FullScreenLoading, PageLoading } from '#web/layout/loading.tsx';
import { PageBoundary } from '#web/layout/page-boundary.tsx';
import { type LazyPage, lazyComponent } from '#web/navigation/lazy-component.ts';
import { showBadge } from '#web/layout/show-badge.ts';
import { storeLastUser } from '#web/offline/last-user.ts';
import { endPendingSession } from '#web/offline/pending-sign-out.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';

type Route = { path: string; page: LazyPage; loading?: string };

/** Routes that need no sign-in. */
const publicRoutes: readonly Route[] = [
  {
    path: '/forgot-password',
    page: lazyComponent(() => import('#features/accounts/passwords/web/forgot-password-page.tsx')),
  },
  {
    path: '/reset-password',
    page: lazyComponent(() => import('#features/accounts/passwords/web/reset-password-page.tsx')),
  },
  {
    path: '/unsubscribe',
    page: lazyComponent(() => import('#features/messages/notifications/web/unsubscribe-page.tsx')),
  },
];

/**
 * Routes for signed-in users. Menus and links show only pages listed here. A page for another role shows a
 * message.
 */
const signedInRoutes: readonly Route[] = [
  {
    path: '/',
    page: lazyComponent(() => import('#features/home/web/home-page.tsx')),
    loading: 'Loading sacred space...',
  },
  { path: '/melodies', page: lazyComponent(() => import('#features/library/web/melodies-page.tsx')) },
  {
    path: '/submit',
    page: lazyComponent(() => import('#features/my-recordings/web/submit/submit-page.tsx')),
  },
  { path: '/feedback', page: lazyComponent(() => import('#features/my-recordings/web/feedback-page.tsx')) },
  {
    path: '/past-recordings',
    page: lazyComponent(() => import('#features/my-recordings/web/past-recordings-page.tsx')),
  },
  {
    path: '/admin/registrations',
    page: lazyComponent(() => import('#features/people/registrations/web/registrations-page.tsx')),
  },
  {
    path: '/past-feedback',
    page: lazyComponent(() => import('./pages/past-feedback-page.tsx')),
  },
  { path: '/admin', page: lazyComponent(() => import('./pages/inbox-page.tsx')) },
  {
    path: '/admin/add-melody',
    page: lazyComponent(() => import('#features/melodies/web/add-melody-page.tsx')),
  },
  { path: '/admin/users', page: lazyComponent(() => import('./pages/users-page.tsx')) },
  {
    path: '/admin/invite',
    page: lazyComponent(() => import('#features/people/invitations/web/invite-page.tsx')),
  },
  {
    path: '/change-password',
    page: lazyComponent(() => import('./pages/change-password-page.tsx')),
  },
];

const RequestAccessForm = lazyComponent(
  () => import('#features/people/registrations/web/request-access-form.tsx'),
);
const Layout = lazyComponent(() => import('./layout/layout.tsx'));
const notFound: Route = {
  path: '*',
  page: lazyComponent(() => import('#web/layout/not-found-page.tsx')),
};

const existingPaths = [...publicRoutes, ...signedInRoutes].map(({ path }) => path);

export function App() {
  return (
    <ExistingPaths value={existingPaths}>
      <PageBoundary>
        <Suspense fallback={<FullScreenLoading />}>
          <CurrentPage />
        </Suspense>
      </PageBoundary>
    </ExistingPaths>
  );
}

/**
 * Loads the code of a page and of the layout in parallel, before the page is shown. Resolves when both have
 * loaded or failed.
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
    void endPendingSession();
    // Clears the badge, because a session may have ended while no page was open.
    void showBadge(0);
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
      <PageBoundary key={address}>
        <Suspense fallback={<PageLoading>{loading}</PageLoading>}>
          <Page />
        </Suspense>
      </PageBoundary>
    </Layout>
  );
}

const findRoute = (routes: readonly Route[], address: string) =>
  routes.find(({ path }) => path === (address.replace(/\/+$/, '') || '/'));
