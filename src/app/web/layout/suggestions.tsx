import { useLocation } from 'wouter';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { lazyComponent } from '#web/navigation/lazy-component.ts';
import { type User, useUser } from '#web/api/session.ts';

const OwnPassword = lazyComponent(
  () => import('#features/accounts/passwords/web/own-password-suggestion.tsx'),
);
const Passkey = lazyComponent(() => import('#features/accounts/passkeys/web/passkey-suggestion.tsx'));

/** Returns the suggestion to show above the page, one at a time; null for most users on most pages. */
function chooseSuggestion({ suggestOwnPassword, suggestPasskey }: User, address: string) {
  if (suggestOwnPassword) return OwnPassword;
  return suggestPasskey && address === '/' ? Passkey : null;
}

export function Suggestions() {
  const [address] = useLocation();
  const suggestion = chooseSuggestion(useUser(), address);
  return suggestion && <LazyBoundary key={String(suggestion === Passkey)} part={suggestion} />;
}

/** Loads the code of this user's suggestion; of all suggestions on the server, which renders for everyone. */
export const preloadSuggestions = (user: User | null | undefined) =>
  import.meta.env.SSR
    ? Promise.all([OwnPassword.preload(), Passkey.preload()])
    : user && chooseSuggestion(user, location.pathname)?.preload();
