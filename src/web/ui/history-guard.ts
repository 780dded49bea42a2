type HistoryGuard = {
  /**
   * Whether a link that leaves the page must replace the newest history entry, because the guard has added that
   * entry.
   */
  replaces: boolean;
  end(): void;
};

/**
 * Intercepts going back or forward to another page, for example with a phone's Back button.
 * @param onTry called at each attempt to leave, with a function that leaves anyway
 */
export function guardHistory(onTry: (go: () => void) => void): HistoryGuard {
  return 'navigation' in window ? guardByNavigation(onTry) : guardByEntry(onTry);
}

function guardByNavigation(onTry: (go: () => void) => void): HistoryGuard {
  let isLeaving = false;
  const onNavigate = (event: NavigateEvent) => {
    // Ignores a navigation that can't be cancelled, such as going back a second time without interacting with
    // the page in between.
    if (isLeaving || event.navigationType !== 'traverse' || !event.cancelable) return;
    const { url, key } = event.destination;
    if (url === null || new URL(url).pathname === location.pathname) return;
    event.preventDefault();
    onTry(() => {
      isLeaving = true;
      navigation.traverseTo(key);
    });
  };
  navigation.addEventListener('navigate', onNavigate);
  return { replaces: false, end: () => navigation.removeEventListener('navigate', onNavigate) };
}

const GUARD_MARK = 'guard';

/**
 * Resolves when the previous guard's entry has been removed. The next guard waits for this before it adds its
 * own entry, which would otherwise be removed instead.
 */
let cleanup: Promise<void> = Promise.resolve();
let isCleaningUp = false;

/**
 * Guards in older browsers, which can't cancel navigation. Pushes another history entry for the same page, so
 * that Back removes that entry without leaving the page.
 */
function guardByEntry(onTry: (go: () => void) => void): HistoryGuard {
  let isOver = false;
  let isLeaving = false;
  const onPop = () => {
    if (isLeaving || isAtGuard()) return;
    pushGuardEntry();
    onTry(() => {
      isLeaving = true;
      history.go(-2);
    });
  };
  void cleanup.then(() => {
    if (isOver) return;
    if (!isAtGuard()) pushGuardEntry();
    addEventListener('popstate', onPop);
  });
  return {
    replaces: true,
    end() {
      isOver = true;
      removeEventListener('popstate', onPop);
      if (!isLeaving) removeLeftoverGuardEntry();
    },
  };
}

/**
 * Goes back if the current history entry is left over from a guard, for example after a reload. The URL stays
 * the same.
 */
export function removeLeftoverGuardEntry() {
  if (isCleaningUp || !isAtGuard()) return;
  isCleaningUp = true;
  const { href } = location;
  const { scrollRestoration } = history;
  history.scrollRestoration = 'manual';
  cleanup = new Promise((done) => {
    addEventListener(
      'popstate',
      () => {
        isCleaningUp = false;
        history.scrollRestoration = scrollRestoration;
        if (location.href !== href) history.replaceState(history.state, '', href);
        done();
      },
      { once: true },
    );
  });
  history.back();
}

const isAtGuard = () => (history.state as { [GUARD_MARK]?: boolean } | null)?.[GUARD_MARK] === true;

// Calls the prototype's method, because the router observes `history.pushState` and would treat the call as
// navigation.
const pushGuardEntry = () =>
  History.prototype.pushState.call(history, { ...(history.state as object | null), [GUARD_MARK]: true }, '');
