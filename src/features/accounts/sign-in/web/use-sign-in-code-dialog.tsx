import { type ComponentType, useState } from 'react';
import { NO_CONNECTION_MESSAGE } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import type SignInCodeDialog from './sign-in-code-dialog.tsx';

type Props = Parameters<typeof SignInCodeDialog>[0];

/**
 * Returns the dialog that shows a sign-in code, and a function that opens it. The dialog's module is loaded
 * when it is first opened.
 */
export function useSignInCodeDialog(student: Props['student']) {
  const [Shown, setShown] = useState<ComponentType<Props> | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const open = async () => {
    setIsLoading(true);
    try {
      const { default: loaded } = await import('./sign-in-code-dialog.tsx');
      setShown(() => loaded);
    } catch {
      toast({ title: 'Couldn’t create a code', description: NO_CONNECTION_MESSAGE, variant: 'destructive' });
    } finally {
      setIsLoading(false);
    }
  };
  const dialog = Shown && <Shown student={student} onClose={() => setShown(null)} />;
  return { open: () => void open(), isLoading, dialog };
}
