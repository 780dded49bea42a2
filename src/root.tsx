import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { type PageData, PageDataContext } from './platform/web/page-data.ts';
import { Toaster } from './platform/web/ui/toaster.tsx';
import { App } from './routes.tsx';

type RootProps = {
  client: QueryClient;
  page: PageData;
  /** Where one is, for the server; the browser knows. */
  at?: { ssrPath: string; ssrSearch: string };
};

/** The whole application: the same for the server, which renders a first screen, and for the browser, which takes it over. */
export const Root = ({ client, page, at = undefined }: RootProps) => (
  <StrictMode>
    <QueryClientProvider client={client}>
      <PageDataContext value={page}>
        <Router {...at}>
          <App />
        </Router>
        <Toaster />
      </PageDataContext>
    </QueryClientProvider>
  </StrictMode>
);
