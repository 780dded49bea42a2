import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Reason why the audio can't be sent yet; null if it can.
 * - `recording`: it is still being recorded.
 * - `ending`: recording has stopped, but the device has not stored everything yet.
 * - `inspecting`: it is a chosen file that is being checked.
 */
export type SoundActivity = 'recording' | 'ending' | 'inspecting' | null;

/** Returns whether the audio is still being recorded or stored. */
export const isBeingRecorded = (activity: SoundActivity) => activity === 'recording' || activity === 'ending';

/** Returns whether the audio will soon be ready or rejected without any action by the user. */
const isSettling = (activity: SoundActivity) => activity === 'ending' || activity === 'inspecting';

/**
 * Returns `press`, which sends the audio immediately or as soon as it is ready, and whether a press is still
 * waiting. If the file is rejected instead, the press is dropped, because the page already shows the reason.
 */
export function useSendWhenSettled(activity: SoundActivity, sound: Blob | null, send: () => void) {
  const [pressed, setPressed] = useState<{ with: Blob | null } | null>(null);
  const carryOut = useEffectEvent(send);
  useEffect(() => {
    if (!pressed || isSettling(activity)) return;
    // Clears the press, because the audio is sent now or was rejected.
    // oxlint-disable-next-line react/set-state-in-effect
    setPressed(null);
    if (sound && sound !== pressed.with) carryOut();
  }, [pressed, activity, sound]);
  return {
    isWaiting: pressed !== null,
    press() {
      if (isSettling(activity)) setPressed((earlier) => earlier ?? { with: sound });
      else send();
    },
  };
}
