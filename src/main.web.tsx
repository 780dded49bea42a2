import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchMoves } from './platform/web/arrival.ts';
import { keepAnswers } from './platform/web/page-data.ts';
import { queryClient } from './platform/web/query-client.ts';
import './platform/web/styles/app.css';
import { Toaster } from './platform/web/ui/toaster.tsx';
import { App, preloadPage } from './routes.tsx';

// Radix writes style elements, which the content security policy takes only with the page's nonce.
setNonce(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '');
keepAnswers();
watchMoves();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
const page = createRoot(root);
const show = () =>
  page.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App />
        <Toaster />
      </QueryClientProvider>
    </StrictMode>,
  );
// Until then the page's own 'Loading...' stands. In a task of its own: evaluating the program was a long one already.
void preloadPage(location.pathname).then(() => setTimeout(show));
