import { createRoot, type Root as ReactRoot } from 'react-dom/client';
import { api } from '#app/api.ts';

import { keepAnswers, pageData } from '#web/api/page-data.ts';
import { queryClient } from '#web/api/query-client.ts';
import { watchMoves } from '#web/navigation/focus-on-navigation.ts';
import { forgetToasts } from '#web/ui/toasts.ts';
import { Root } from '#app/web/root.tsx';
import { preloadPage } from '#app/web/routes.tsx';
import { aStudent, type Me } from './community.ts';
import { answer, refuse } from './fake-api.ts';

let shown: { root: ReactRoot; place: HTMLElement } | null = null;

/** The same in each test, so that what is kept for a person is found again. */
const tashi = aStudent();

type Options = {
  /** Who is signed in; null is a visitor. */
  user?: Me | null;
  /** Whether the community has a mail server. */
  sendsMail?: boolean;
  /** Whether passkeys are for the address that the page is at. */
  passkeysWork?: boolean;
  /** What comes with the page besides, by address. */
  answers?: Record<string, unknown>;
};

/** Opens a page as main.web.tsx does, after the answers that the frame around it needs. */
export async function renderPage(
  path: string,
  { user = tashi, sendsMail = true, passkeysWork = true, answers = {} }: Options = {},
) {
  closePage();
  if (user) answer(api.signIn.whoAmI, user);
  else refuse(api.signIn.whoAmI, 401, { message: 'Unauthorized' });
  history.replaceState(null, '', path);
  pageData.answers = { '/api/user': user, ...answers };
  pageData.settings.sendsMail = sendsMail;
  pageData.settings.passkeyOrigin = passkeysWork ? location.origin : null;
  await open();
}

/** The page is loaded again: nothing is left but what the device and the address keep. */
export async function reload() {
  pageData.answers = {};
  closePage();
  await open();
}

export function closePage() {
  shown?.root.unmount();
  shown?.place.remove();
  shown = null;
  queryClient.clear();
  forgetToasts();
}

async function open() {
  keepAnswers(queryClient, pageData);
  watchMoves();
  const place = document.createElement('div');
  place.id = 'root';
  document.body.append(place);
  const root = createRoot(place);
  shown = { root, place };
  await preloadPage(location.pathname);
  root.render(<Root client={queryClient} page={pageData} />);
}
