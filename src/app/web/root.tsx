import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { type PageData, PageDataContext } from '#web/api/page-data.ts';
import { Toaster } from '#web/ui/toaster.tsx';
import { App } from './routes.tsx';

type RootProps = {
  client: QueryClient;
  page: PageData;
  /** The current location, needed only on the server. */
  at?: { ssrPath: string; ssrSearch: string };
};

/** The whole application. The server renders its first screen, and the browser hydrates it. */
export const Root = ({ client, page, at }: RootProps) => (
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
