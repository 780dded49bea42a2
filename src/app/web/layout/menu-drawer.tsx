import { Menu } from 'lucide-react';
import { type ComponentType, useRef, useState } from 'react';
import { NO_CONNECTION_MESSAGE, logUnexpectedError } from '#web/api/call.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';
import { CountBadge } from '#web/ui/badge.tsx';
import { sumMenuCounts, useMenuCounts } from './use-menu-counts.ts';
import type { MenuDrawerPanelProps } from './menu-drawer-panel.tsx';

// The panel is fetched when a pointer or focus reaches the button, so that the first screen loads less code.
const loadPanel = () => import('./menu-drawer-panel.tsx');
const preloadPanel = () => void loadPanel().catch(() => undefined);

/** The side menu on small screens, and the button that opens it. */
export function MenuDrawer() {
  const button = useRef<HTMLButtonElement>(null);
  const [Panel, setPanel] = useState<ComponentType<MenuDrawerPanelProps> | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const waiting = sumMenuCounts(useMenuCounts());

  const open = async () => {
    if (Panel) return setIsOpen(true);
    try {
      const { default: loaded } = await loadPanel();
      setPanel(() => loaded);
      setIsOpen(true);
    } catch (error) {
      logUnexpectedError(error);
      showFailureToast('The menu could not be loaded', error, NO_CONNECTION_MESSAGE);
    }
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => void open()}
        onPointerEnter={preloadPanel}
        onFocus={preloadPanel}
        className="relative -ms-2 grid size-12 shrink-0 place-items-center rounded-md hover:bg-sunk lg:hidden"
      >
        <Menu className="size-6" />
        <span className="sr-only">{waiting.count > 0 ? 'Menu, ' : 'Menu'}</span>
        <CountBadge {...waiting} className="absolute -end-0.5 -top-1 ring-2 ring-surface" />
      </button>
      {Panel && <Panel isOpen={isOpen} onOpenChange={setIsOpen} button={button} />}
    </>
  );
}
