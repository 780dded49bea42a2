import { getErrorMessage } from '../api/call.ts';
import { toast } from './toasts.ts';

/** Shows a toast with the reason why something failed, or with `sentence` if the server gave none. */
export const showFailureToast = (title: string, error: unknown, sentence = 'Please try again.') =>
  toast({ title, description: getErrorMessage(error, sentence), variant: 'destructive' });
