import { useEffect, useEffectEvent, useState } from 'react';
import { saveDraft, loadDraft } from '#web/drafts/draft-storage.ts';
import { useUser } from '#web/api/session.ts';
import { type InboxCommand, getInboxCommand, type KeyTarget } from './shortcuts.ts';

/**
 * Calls `onCommand` for shortcuts, except while a dialog or menu is open. If `onCommand` returns false, the
 * key keeps its default effect.
 */
export function useInboxShortcuts(hasLetters: boolean, onCommand: (command: InboxCommand) => boolean) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'))
      return;
    const command = getInboxCommand(event, getKeyTarget(event.target), hasLetters);
    if (command && onCommand(command)) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Manages the setting that turns single-key commands on or off. */
export const useSingleKeySetting = () => useStoredSetting('inbox single keys', true);

/** Manages the setting that plays the next recording after a reply is sent. */
export const useAutoplayNextSetting = () => useStoredSetting('inbox plays on', false);

/** Manages a setting of this user, stored on the device only while it differs from the default. */
function useStoredSetting(of: string, usual: boolean) {
  const userId = useUser().id;
  const [value, setValue] = useState(() => (loadDraft(userId, of) === null) === usual);
  const change = (next: boolean) => {
    saveDraft(userId, of, next === usual ? null : { isOff: !next });
    setValue(next);
  };
  return [value, change] as const;
}

/**
 * Lets Space stop playback. Some browsers do not focus a clicked button, so Space would not reach the button.
 */
export function useStopOnSpace(isOn: boolean, stop: () => void) {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.defaultPrevented || getKeyTarget(event.target) !== 'page') return;
      event.preventDefault();
      stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn, stop]);
}

function getKeyTarget(target: EventTarget | null): KeyTarget {
  if (!(target instanceof Element)) return 'page';
  if (target.closest(FIELD_SELECTOR)) return 'field';
  return target.closest('button, a[href], summary, input, label') ? 'control' : 'page';
}

const FIELD_SELECTOR =
  '[data-no-shortcuts], textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=file])';
