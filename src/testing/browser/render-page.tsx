import { createRoot, type Root as ReactRoot } from 'react-dom/client';
import { api } from '#app/api.ts';

import { hydrateQueryCache, pageData } from '#web/api/page-data.ts';
import { queryClient } from '#web/api/query-client.ts';
import { watchNavigation } from '#web/navigation/focus-on-navigation.ts';
import { resetToasts } from '#web/ui/toasts.ts';
import { Root } from '#app/web/root.tsx';
import { preloadPage } from '#app/web/routes.tsx';
import { buildStudent, type MeFixture } from './community.ts';
import { mockEndpoint, rejectCalls } from './fake-api.ts';

let shown: { root: ReactRoot; place: HTMLElement } | null = null;

/** Default user. It is the same in every test, so that data stored for a user is found again. */
const TEST_STUDENT = buildStudent();

type Options = {
  /** The signed-in user; null for a visitor. */
  user?: MeFixture | null;
  /** Whether the community has a mail server. */
  sendsMail?: boolean;
  /** Whether passkeys work on the page's origin. */
  passkeysWork?: boolean;
  /** Responses embedded in the page, by URL. */
  answers?: Record<string, unknown>;
};

/** Opens a page as main.web.tsx does, after setting the signed-in user and the embedded page data. */
export async function renderPage(
  path: string,
  { user = TEST_STUDENT, sendsMail = true, passkeysWork = true, answers = {} }: Options = {},
) {
  closePage();
  if (user) mockEndpoint(api.signIn.whoAmI, user);
  else rejectCalls(api.signIn.whoAmI, 401, { message: 'Unauthorized' });
  history.replaceState(null, '', path);
  pageData.answers = { '/api/user': user, ...answers };
  pageData.settings.sendsMail = sendsMail;
  pageData.settings.passkeyOrigin = passkeysWork ? location.origin : null;
  await open();
}

/** Reloads the page. Only what is stored on the device and in the URL is left. */
export async function reloadPage() {
  pageData.answers = {};
  closePage();
  await open();
}

export function closePage() {
  shown?.root.unmount();
  shown?.place.remove();
  shown = null;
  queryClient.clear();
  resetToasts();
}

async function open() {
  hydrateQueryCache(queryClient, pageData);
  watchNavigation();
  const place = document.createElement('div');
  place.id = 'root';
  document.body.append(place);
  const root = createRoot(place);
  shown = { root, place };
  await preloadPage(location.pathname);
  root.render(<Root client={queryClient} page={pageData} />);
}
