import { type ComponentType, useState } from 'react';
import { NO_CONNECTION, noteFault } from '#web/api/call.ts';
import { toastFailure } from '#web/ui/toast-failure.ts';
import type { OpensAt } from '#web/ui/dropdown-menu.tsx';
import { AccountButton } from './account-button.tsx';

// Fetched when a pointer or focus reaches the button: the first screen is lighter without its dialog.
const load = () => import('./account-menu.tsx');
const fetchEarly = () => void load().catch(() => undefined);

export function UserMenu() {
  const [Menu, setMenu] = useState<ComponentType<{ initiallyAt: OpensAt }> | null>(null);
  const [initiallyAt, setInitiallyAt] = useState<OpensAt>('menu');
  const [isLoading, setIsLoading] = useState(false);

  const open = async (at: OpensAt) => {
    setInitiallyAt(at);
    setIsLoading(true);
    try {
      const { default: loaded } = await load();
      setMenu(() => loaded);
    } catch (error) {
      noteFault(error);
      toastFailure('This menu could not be loaded', error, NO_CONNECTION);
    } finally {
      setIsLoading(false);
    }
  };

  return Menu ? (
    <Menu initiallyAt={initiallyAt} />
  ) : (
    <AccountButton
      busy={isLoading}
      // A press by keyboard has a click count of 0.
      onClick={({ detail }) => void open(detail === 0 ? 'first' : 'menu')}
      onPointerEnter={fetchEarly}
      onFocus={fetchEarly}
    />
  );
}
