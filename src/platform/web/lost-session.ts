import { toast } from './toasts.ts';
import { whenNavigationIsFree } from './navigation-block.ts';
import { rememberPlace } from './way-back.ts';

const REDIRECT_AFTER_MS = 500;

let isLost = false;

/** Says once that the session is gone, then goes to sign in again, and from there back; but cuts off nobody who is singing. */
export function loseSession() {
  if (isLost) return;
  isLost = true;
  whenNavigationIsFree(() => {
    toast({
      title: 'Unauthorized',
      description: 'You are logged out. Logging in again...',
      variant: 'destructive',
      outlivesPage: true,
    });
    // Somebody may have begun to sing in between.
    setTimeout(() => whenNavigationIsFree(goToSignIn), REDIRECT_AFTER_MS);
  });
}

function goToSignIn() {
  rememberPlace();
  location.assign('/api/login');
}
