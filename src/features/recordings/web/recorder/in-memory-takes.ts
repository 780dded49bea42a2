import { blockNavigation } from '#web/navigation/navigation-block.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import { warnBeforeLeaving } from '#web/navigation/warning-before-leaving.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';

/** A take that the device could not store. */
export type InMemoryTake = Pick<StoredRecording, 'id' | 'userId' | 'purpose' | 'createdAt' | 'sending'> & {
  audio: ChosenAudio;
};

const takes = createStore<readonly InMemoryTake[]>([]);
let endWarnings: (() => void)[] = [];

function setTakes(next: readonly InMemoryTake[]): void {
  if (next.length > 0 && endWarnings.length === 0) endWarnings = [warnBeforeLeaving(), blockNavigation()];
  if (next.length === 0) for (const end of endWarnings.splice(0)) end();
  takes.set(next);
}

/**
 * Holds a take in this page's memory, even after the component that recorded it unmounts. Warns the user before
 * they leave the page.
 */
export function addInMemoryTake(take: Omit<InMemoryTake, 'id' | 'createdAt'>): InMemoryTake {
  const held = { ...take, id: createUuid(), createdAt: Date.now() };
  setTakes([...takes.get(), held]);
  return held;
}

/**
 * Removes a take from this page's memory and returns its audio.
 * @returns null if this user has no such take in memory
 */
export function removeInMemoryTake(id: string, userId: string): ChosenAudio | null {
  const held = takes.get().find((take) => take.id === id && take.userId === userId);
  if (!held) return null;
  setTakes(takes.get().filter((take) => take !== held));
  return held.audio;
}

/** Returns a user's takes with this purpose that exist only in this page's memory, oldest first. */
export const useInMemoryTakes = (userId: string, purpose: string): readonly InMemoryTake[] =>
  useStore(takes).filter((take) => take.userId === userId && take.purpose === purpose);
