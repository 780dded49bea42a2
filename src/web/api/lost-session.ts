import { toast } from '../ui/toasts.ts';
import { runWhenNavigationUnblocked } from '../navigation/navigation-block.ts';
import { storeReturnPath } from '../navigation/return-to.ts';

const REDIRECT_AFTER_MS = 500;

let isLost = false;
let note: string | undefined;

/**
 * Reports once that the session is lost, then redirects to the sign-in page. After signing in, the user returns
 * to this page. Waits while navigation is blocked, for example by a recording in progress.
 * @param said message for the sign-in page. It must not contain anything private, because somebody else at the
 * device may read it.
 */
export function handleLostSession(said = note) {
  note = said;
  if (isLost) return;
  isLost = true;
  runWhenNavigationUnblocked(() => {
    toast({
      title: 'Unauthorized',
      description: 'You are logged out. Logging in again...',
      variant: 'destructive',
      outlivesPage: true,
    });
    // Checks again, because the user may have started to record during the delay.
    setTimeout(() => runWhenNavigationUnblocked(goToSignIn), REDIRECT_AFTER_MS);
  });
}

function goToSignIn() {
  storeReturnPath(location, note);
  location.assign('/api/login');
}
