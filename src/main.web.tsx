import { setNonce } from 'get-nonce';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { watchNavigation } from '#web/navigation/focus-on-navigation.ts';
import { answerPageOwnerRequests } from '#web/offline/page-owner.ts';
import { hydrateQueryCache, pageData } from '#web/api/page-data.ts';
import { queryClient } from '#web/api/query-client.ts';
import '#web/styles/app.css';
import { Root } from '#app/web/root.tsx';
import { preloadPage } from '#app/web/routes.tsx';

declare global {
  interface Window {
    /**
     * The last button pressed before the app ran, as noted by index.html. Null makes index.html stop
     * listening.
     */
    earlyPress?: Element | null;
  }
}

// Radix injects style elements, which the content security policy allows only with the page's nonce.
setNonce(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '');
hydrateQueryCache(queryClient, pageData);
watchNavigation();
answerPageOwnerRequests();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
const show = () => {
  const tree = <Root client={queryClient} page={pageData} />;
  if (root.dataset.rendered === undefined) createRoot(root).render(tree);
  else hydrateRoot(root, tree);
  pressAgain();
};

/** Repeats the press of a button that was pressed before the page could respond. */
function pressAgain() {
  const pressed = window.earlyPress;
  window.earlyPress = null;
  if (pressed instanceof HTMLElement && pressed.isConnected) pressed.click();
}

// The page's static text stays until the code has loaded. Rendering is a separate task, because evaluating
// the scripts was already a long task.
void preloadPage(location.pathname).then(() => setTimeout(show));
