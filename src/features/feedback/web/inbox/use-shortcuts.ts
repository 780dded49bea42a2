import { useEffect, useEffectEvent, useState } from 'react';
import { saveDraft, loadDraft } from '../../../../platform/web/drafts/draft-storage.ts';
import { useUser } from '../../../../platform/web/session.ts';
import { type Command, commandOf, type KeyPlace } from './shortcuts.ts';

/** Calls `onCommand` for shortcuts; when it returns false, the key has its default effect. */
export function useShortcuts(hasLetters: boolean, onCommand: (command: Command) => boolean) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'))
      return;
    const command = commandOf(event, placeOfKey(event.target), hasLetters);
    if (command && onCommand(command)) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Whether single keys count; remembered on the device for this user. */
export function useHasLetters() {
  const userId = useUser().id;
  const [hasLetters, setHasLetters] = useState(() => loadDraft(userId, OFF) === null);
  const change = (has: boolean) => {
    saveDraft(userId, OFF, has ? null : { isOff: true });
    setHasLetters(has);
  };
  return [hasLetters, change] as const;
}

const OFF = 'inbox single keys';

export function placeOfKey(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element)) return 'page';
  if (target.closest(FIELDS)) return 'field';
  return target.closest('button, a[href], summary, input, label') ? 'control' : 'page';
}

const FIELDS =
  'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=file])';
