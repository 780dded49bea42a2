import { useState, useSyncExternalStore } from 'react';
import { useUser } from '../session.ts';
import { useWarningBeforeLeaving } from '../warning-before-leaving.ts';
import { type DraftOptions, openDraft } from './draft.ts';

/**
 * What is typed into a form, kept on this device for this person until it is sent or given up. Another name in `of`
 * is another draft. The browser asks before the page is closed while the device does not take it.
 */
export function useDraft<T>(options: DraftOptions<T>) {
  const userId = useUser().id;
  const { of, keep } = options;
  const [opened, setOpened] = useState(() => openDraft(userId, options));
  const isOther = opened.of !== of || opened.userId !== userId;
  const draft = isOther ? openDraft(userId, options) : opened;
  if (isOther) setOpened(draft);
  const value = useSyncExternalStore(draft.subscribe, draft.get, draft.get);
  const isSafe = useSyncExternalStore(draft.subscribe, draft.isSafe, draft.isSafe);
  useWarningBeforeLeaving(!isSafe);
  return {
    value,
    /** As it is by now, also when what asks was drawn before the last change. */
    latest: draft.get,
    change: (next: T) => draft.change(next, keep),
    forget: draft.forget,
  };
}
