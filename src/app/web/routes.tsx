import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { SignInPage } from '#features/accounts/sign-in/web/sign-in-page.tsx';
import { ExistingPaths } from '#web/navigation/existing-paths.ts';
import { FullScreenLoading, PageLoading } from '#web/layout/loading.tsx';
import { PageBoundary } from '#web/layout/page-boundary.tsx';
import { type LazyPage, lazyPart } from '#web/navigation/lazy-page.ts';
import { showBadge } from '#web/layout/show-badge.ts';
import { rememberUser } from '#web/offline/last-user.ts';
import { endOwedSession } from '#web/offline/owed-sign-out.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';

type Route = { path: string; page: LazyPage; loading?: string };

/** Routes that need no sign-in. */
const publicRoutes: readonly Route[] = [
  {
    path: '/forgot-password',
    page: lazyPart(() => import('#features/accounts/passwords/web/forgot-password-page.tsx')),
  },
  {
    path: '/reset-password',
    page: lazyPart(() => import('#features/accounts/passwords/web/reset-password-page.tsx')),
  },
  {
    path: '/unsubscribe',
    page: lazyPart(() => import('#features/messages/notifications/web/unsubscribe-page.tsx')),
  },
];

/** Menus and links show only the pages listed here. A page for another role shows a message. */
const signedInRoutes: readonly Route[] = [
  {
    path: '/',
    page: lazyPart(() => import('#features/home/web/home-page.tsx')),
    loading: 'Loading sacred space...',
  },
  { path: '/melodies', page: lazyPart(() => import('#features/library/web/melodies-page.tsx')) },
  { path: '/submit', page: lazyPart(() => import('#features/my-recordings/web/submit/submit-page.tsx')) },
  { path: '/feedback', page: lazyPart(() => import('#features/my-recordings/web/feedback-page.tsx')) },
  {
    path: '/past-recordings',
    page: lazyPart(() => import('#features/my-recordings/web/past-recordings-page.tsx')),
  },
  {
    path: '/admin/registrations',
    page: lazyPart(() => import('#features/people/registrations/web/registrations-page.tsx')),
  },
  {
    path: '/past-feedback',
    page: lazyPart(() => import('./pages/past-feedback-page.tsx')),
  },
  { path: '/admin', page: lazyPart(() => import('./pages/inbox-page.tsx')) },
  { path: '/admin/add-melody', page: lazyPart(() => import('#features/melodies/web/add-melody-page.tsx')) },
  { path: '/admin/users', page: lazyPart(() => import('./pages/users-page.tsx')) },
  { path: '/admin/invite', page: lazyPart(() => import('#features/people/invitations/web/invite-page.tsx')) },
  {
    path: '/change-password',
    page: lazyPart(() => import('./pages/change-password-page.tsx')),
  },
];

const RequestAccessForm = lazyPart(
  () => import('#features/people/registrations/web/request-access-form.tsx'),
);
const Layout = lazyPart(() => import('./layout/layout.tsx'));
const notFound: Route = {
  path: '*',
  page: lazyPart(() => import('#web/layout/not-found-page.tsx')),
};

const existingPaths = [...publicRoutes, ...signedInRoutes].map(({ path }) => path);

export function App() {
  return (
    <ExistingPaths value={existingPaths}>
      <PageBoundary>
        <Suspense fallback={<FullScreenLoading />}>
          <Place />
        </Suspense>
      </PageBoundary>
    </ExistingPaths>
  );
}

/**
 * Loads a page's code before the page is shown, in parallel with the layout's. Resolves when both have loaded or
 * failed.
 */
export async function preloadPage(address: string): Promise<void> {
  const isVisitor = queryClient.getQueryData(sessionQuery.queryKey) === null;
  const open = routeAt(publicRoutes, address);
  if (open) return open.page.preload();
  if (isVisitor) return;
  await Promise.all([Layout.preload(), routeAt(signedInRoutes, address)?.page.preload()]);
}

function Place() {
  const [address] = useLocation();
  const session = useQuery(sessionQuery);
  const open = routeAt(publicRoutes, address);
  const isVisitor = session.data === null;
  useEffect(() => {
    if (!isVisitor) return;
    // Otherwise the next offline visitor would be mistaken for the last user.
    void rememberUser(null);
    void endOwedSession();
    // A session that ended while no page was open left its count on the installed app's icon.
    void showBadge(0);
  }, [isVisitor]);
  if (open) return <open.page />;
  // Thrown here, so that it reaches the page's error boundary, which offers a retry.
  if (session.isError) throw session.error;
  if (session.data === undefined) return <FullScreenLoading />;
  if (session.data === null) return <SignInPage requestAccess={<RequestAccessForm />} />;
  if (address === '/auth') return <Redirect to="/" replace />;
  return <SignedIn address={address} />;
}

function SignedIn({ address }: { address: string }): ReactNode {
  const { page: Page, loading } = routeAt(signedInRoutes, address) ?? notFound;
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

const routeAt = (routes: readonly Route[], address: string) =>
  routes.find(({ path }) => path === (address.replace(/\/+$/, '') || '/'));
