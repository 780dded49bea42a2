import { type ComponentType, useState } from 'react';
import { NO_CONNECTION } from '../call.ts';
import { toast } from '../toasts.ts';
import { AccountButton } from './account-button.tsx';

// A dropdown is as large as a page, so it is fetched only when a pointer or focus reaches the button.
const load = () => import('./account-menu.tsx');
const fetchEarly = () => void load().catch(() => undefined);

export function UserMenu() {
  const [Menu, setMenu] = useState<ComponentType | null>(null);
  const [isLoading, setIsLoading] = useState(false);

  const open = async () => {
    setIsLoading(true);
    try {
      const { default: loaded } = await load();
      setMenu(() => loaded);
    } catch {
      toast({ title: 'This menu could not be loaded', description: NO_CONNECTION, variant: 'destructive' });
    } finally {
      setIsLoading(false);
    }
  };

  return Menu ? (
    <Menu />
  ) : (
    <AccountButton
      busy={isLoading}
      onClick={() => void open()}
      onPointerEnter={fetchEarly}
      onFocus={fetchEarly}
    />
  );
}
