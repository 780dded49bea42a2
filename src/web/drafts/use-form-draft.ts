import { useState } from 'react';
import { useUser } from '../api/session.ts';
import { useWarningBeforeLeaving } from '../navigation/warning-before-leaving.ts';
import { useStore } from '../use-store.ts';
import { type FormDraftOptions, openFormDraft } from './form-draft.ts';

/**
 * Returns a form's draft, which is stored on this device under the user's id until it is sent or discarded. A
 * different `name` opens a different draft. If the device can't store the draft, the browser asks for
 * confirmation before it closes the page.
 */
export function useFormDraft<T>(options: FormDraftOptions<T>) {
  const userId = useUser().id;
  const { name, toStored } = options;
  const [opened, setOpened] = useState(() => openFormDraft(userId, options));
  const isOther = opened.of !== name || opened.userId !== userId;
  const draft = isOther ? openFormDraft(userId, options) : opened;
  if (isOther) setOpened(draft);
  const value = useStore(draft.state, (state) => state.value);
  const isSafe = useStore(draft.state, (state) => state.isSafe);
  useWarningBeforeLeaving(!isSafe);
  return {
    value,
    /** Returns the current value, even to a callback from an earlier render. */
    latest: draft.get,
    change: (next: T) => draft.change(next, toStored),
    forget: draft.forget,
  };
}
