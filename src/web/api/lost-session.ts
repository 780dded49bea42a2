import { toast } from '../ui/toasts.ts';
import { runWhenNavigationIsFree } from '../navigation/navigation-block.ts';
import { storeReturnPath } from '../navigation/return-to.ts';

const REDIRECT_AFTER_MS = 500;

let isLost = false;
let note: string | undefined;

/**
 * Reports once that the session is gone, then leads to the sign-in page and from there back; waits while somebody is
 * singing.
 * @param said a message for the sign-in page, which somebody else at the device may read
 */
export function handleLostSession(said = note) {
  note = said;
  if (isLost) return;
  isLost = true;
  runWhenNavigationIsFree(() => {
    toast({
      title: 'Unauthorized',
      description: 'You are logged out. Logging in again...',
      variant: 'destructive',
      outlivesPage: true,
    });
    // Somebody may have started to sing in between.
    setTimeout(() => runWhenNavigationIsFree(goToSignIn), REDIRECT_AFTER_MS);
  });
}

function goToSignIn() {
  storeReturnPath(location, note);
  location.assign('/api/login');
}
