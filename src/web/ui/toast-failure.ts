import { sentenceOf } from '../api/call.ts';
import { toast } from './toasts.ts';

/** Says why something failed. @param sentence if the server gave no reason */
export const toastFailure = (title: string, error: unknown, sentence = 'Please try again.') =>
  toast({ title, description: sentenceOf(error, sentence), variant: 'destructive' });
