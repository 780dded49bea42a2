import { getErrorMessage } from '../api/call.ts';
import { toast } from './toasts.ts';

/** Shows a toast that says why something failed; `sentence` if the server gave no reason. */
export const showFailureToast = (title: string, error: unknown, sentence = 'Please try again.') =>
  toast({ title, description: getErrorMessage(error, sentence), variant: 'destructive' });
