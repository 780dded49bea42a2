import { clsx } from 'clsx';
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useOnInteractOutside } from './use-on-interact-outside.ts';
import { Link } from 'wouter';

/** Initial focus: the menu itself after a press by pointer, otherwise its first or last item. */
export type InitialMenuFocus = 'menu' | 'first' | 'last';

type DropdownMenuProps = {
  trigger: (props: ComponentProps<'button'>) => ReactNode;
  children: ReactNode;
  /** Opens the menu on mount, for a menu that is mounted only when its button is pressed. */
  initiallyAt?: InitialMenuFocus;
};

const MIN_LEFT_PX = 8;

/** Function that closes the menu and returns focus to its button, provided to the menu's items. */
const CloseMenuContext = createContext(() => {});

/**
 * A menu button that follows the WAI-ARIA authoring practices. The menu is not in a portal, so that it stays
 * within the same landmark as its button. The rest of the page stays accessible while the menu is open.
 */
export function DropdownMenu({ trigger, children, initiallyAt }: DropdownMenuProps) {
  const [openAt, setOpenAt] = useState<InitialMenuFocus | null>(initiallyAt ?? null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const around = useRef<HTMLDivElement>(null);
  /**
   * Distance in pixels by which the menu is moved to the right, past its button, so that its left edge stays in
   * the window.
   */
  const [shift, setShift] = useState(0);
  const [buttonId, menuId] = [useId(), useId()];

  const close = () => {
    button.current?.focus();
    setOpenAt(null);
  };

  useEffect(() => {
    if (openAt === null) return;
    const focused = openAt === 'menu' ? menu.current : getItems(menu.current).at(openAt === 'first' ? 0 : -1);
    focused?.focus();
  }, [openAt]);
  useLayoutEffect(() => {
    if (!around.current || !menu.current) return;
    const left = around.current.getBoundingClientRect().right - menu.current.offsetWidth;
    setShift(Math.max(0, MIN_LEFT_PX - left));
  }, [openAt]);
  useOnInteractOutside(around, openAt !== null, () => setOpenAt(null));

  const onMenuKey = (event: KeyboardEvent) => {
    const items = getItems(menu.current);
    const at = items.findIndex((item) => item === document.activeElement);
    const next = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? items.length - 1 : at - 1,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    const item = next === undefined ? findItemByKey(event, items, at) : items[next];
    if (event.key === 'Escape') close();
    // Closes the menu, which focuses its button. The Tab key then moves focus on from there.
    else if (event.key === 'Tab') return close();
    else if (next === undefined && !item) return;
    item?.focus();
    event.preventDefault();
  };

  return (
    <div ref={around} className="relative">
      {trigger({
        ref: button,
        id: buttonId,
        'aria-expanded': openAt !== null,
        ...(openAt !== null && { 'aria-controls': menuId }),
        // `event.detail` is the click count, which is 0 for a press by keyboard.
        onClick: (event) => (openAt === null ? setOpenAt(event.detail === 0 ? 'first' : 'menu') : close()),
        onKeyDown: (event) => {
          const at = ({ ArrowDown: 'first', ArrowUp: 'last' } as const)[event.key];
          if (!at) return;
          setOpenAt(at);
          event.preventDefault();
        },
      })}
      {openAt !== null && (
        <div
          ref={menu}
          id={menuId}
          role="menu"
          aria-labelledby={buttonId}
          tabIndex={-1}
          onKeyDown={onMenuKey}
          style={{ right: -shift }}
          className="absolute top-full z-40 mt-1.5 max-h-[calc(100dvh-5rem)] w-max max-w-[calc(100vw-2rem)] min-w-56 overflow-y-auto rounded-md border border-line bg-surface p-1.5 text-ink shadow-soft outline-none"
        >
          <CloseMenuContext value={close}>{children}</CloseMenuContext>
        </div>
      )}
    </div>
  );
}

type MenuItemProps = { icon?: ReactNode; children: ReactNode; onSelect: () => void };

export function MenuItem({ icon, children, onSelect }: MenuItemProps) {
  const close = useContext(CloseMenuContext);
  // Closing first returns focus to the menu's button, so that a dialog opened by this item later returns focus
  // there too.
  const select = () => {
    close();
    onSelect();
  };
  return (
    <button type="button" {...itemProps} onClick={select}>
      {icon}
      {children}
    </button>
  );
}

export function MenuLink({ icon, href, children }: { icon?: ReactNode; href: string; children: ReactNode }) {
  const close = useContext(CloseMenuContext);
  const pressBySpace = (event: KeyboardEvent<HTMLAnchorElement>) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  };
  return (
    <Link href={href} {...itemProps} onClick={close} onKeyDown={pressBySpace}>
      {icon}
      {children}
    </Link>
  );
}

export const MenuSeparator = () => <div role="separator" className="my-1.5 h-px bg-line" />;

const getItems = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

/** Returns the next item that starts with the typed letter, wrapping around; undefined if none does. */
function findItemByKey(event: KeyboardEvent, items: HTMLElement[], at: number) {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (key.length !== 1 || key === ' ' || ctrlKey || altKey || metaKey) return undefined;
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(({ textContent }) =>
    textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
  );
}

const itemProps = {
  role: 'menuitem',
  tabIndex: -1,
  onPointerMove: ({ currentTarget }: PointerEvent<HTMLElement>) => currentTarget.focus(),
  className: clsx(
    'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-sm px-3 py-2 text-start text-sm select-none',
    'focus:bg-sunk focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-lapis [&_svg]:size-5 [&_svg]:shrink-0',
  ),
} as const;
