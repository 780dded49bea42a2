import { toast } from './toasts.ts';

const REDIRECT_AFTER_MS = 500;

let isLost = false;

/** Says once that the session is gone, then goes to sign in again. */
export function loseSession() {
  if (isLost) return;
  isLost = true;
  toast({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    variant: 'destructive',
  });
  setTimeout(() => location.assign('/api/login'), REDIRECT_AFTER_MS);
}
