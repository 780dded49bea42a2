type HistoryGuard = {
  /** A link that leads away from here is to take the place of the newest entry of the history. */
  replaces: boolean;
  end(): void;
};

/**
 * Asks before one goes back or forward to another page, as the phone's Back does.
 * @param onTry told of each try, with what goes there all the same
 */
export function guardHistory(onTry: (go: () => void) => void): HistoryGuard {
  return 'navigation' in window ? guardByNavigation(onTry) : guardByEntry(onTry);
}

function guardByNavigation(onTry: (go: () => void) => void): HistoryGuard {
  let isLeaving = false;
  const onNavigate = (event: NavigateEvent) => {
    // A browser lets one go at the second try without a press in between; it cannot be held then.
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

const MARK = 'guard';

/** Done when the entry of the guard before is gone: what goes back late would go back from the next one's. */
let tidying: Promise<void> = Promise.resolve();
let isTidying = false;

/**
 * Older browsers cannot be stopped. There another entry of the same page is put in front, which Back takes away
 * without leading anywhere.
 */
function guardByEntry(onTry: (go: () => void) => void): HistoryGuard {
  let isOver = false;
  let isLeaving = false;
  const onPop = () => {
    if (isLeaving || isAtGuard()) return;
    putInFront();
    onTry(() => {
      isLeaving = true;
      history.go(-2);
    });
  };
  void tidying.then(() => {
    if (isOver) return;
    if (!isAtGuard()) putInFront();
    addEventListener('popstate', onPop);
  });
  return {
    replaces: true,
    end() {
      isOver = true;
      removeEventListener('popstate', onPop);
      if (!isLeaving) leaveNoEntry();
    },
  };
}

/** Goes back from a guard's entry that is needed no more, after a reload say; what the address says meanwhile stays. */
export function leaveNoEntry() {
  if (isTidying || !isAtGuard()) return;
  isTidying = true;
  const { href } = location;
  const { scrollRestoration } = history;
  history.scrollRestoration = 'manual';
  tidying = new Promise((done) => {
    addEventListener(
      'popstate',
      () => {
        isTidying = false;
        history.scrollRestoration = scrollRestoration;
        if (location.href !== href) history.replaceState(history.state, '', href);
        done();
      },
      { once: true },
    );
  });
  history.back();
}

const isAtGuard = () => (history.state as { [MARK]?: boolean } | null)?.[MARK] === true;

// The prototype's: the router listens to the other, and would take it for a change of page.
const putInFront = () =>
  History.prototype.pushState.call(history, { ...(history.state as object | null), [MARK]: true }, '');
