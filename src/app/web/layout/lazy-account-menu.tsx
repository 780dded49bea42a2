import { type ComponentType, useState } from 'react';
import { NO_CONNECTION_MESSAGE, logUnexpectedError } from '#web/api/call.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';
import type { InitialMenuFocus } from '#web/ui/dropdown-menu.tsx';
import { AccountButton } from './account-button.tsx';

// The menu is fetched when a pointer or focus reaches the button, so that the first screen loads less code.
const loadMenu = () => import('./account-menu.tsx');
const preloadMenu = () => void loadMenu().catch(() => undefined);

export function LazyAccountMenu() {
  const [Menu, setMenu] = useState<ComponentType<{ initiallyAt: InitialMenuFocus }> | null>(null);
  const [initiallyAt, setInitiallyAt] = useState<InitialMenuFocus>('menu');
  const [isLoading, setIsLoading] = useState(false);

  const open = async (at: InitialMenuFocus) => {
    setInitiallyAt(at);
    setIsLoading(true);
    try {
      const { default: loaded } = await loadMenu();
      setMenu(() => loaded);
    } catch (error) {
      logUnexpectedError(error);
      showFailureToast('This menu could not be loaded', error, NO_CONNECTION_MESSAGE);
    } finally {
      setIsLoading(false);
    }
  };

  return Menu ? (
    <Menu initiallyAt={initiallyAt} />
  ) : (
    <AccountButton
      busy={isLoading}
      // `detail` is the click count, which is 0 if the button was pressed by keyboard.
      onClick={({ detail }) => void open(detail === 0 ? 'first' : 'menu')}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
    />
  );
}
