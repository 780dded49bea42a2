import { useMemo, useSyncExternalStore } from 'react';
import { LAYERS } from '../parse.ts';
import type { Layer } from '../tags.ts';

const KEY = 'hidden layers';

const listeners = new Set<() => void>();
let hidden: string = stored();

/** The layers of sung text to show: one choice for every melody, stored on this device. */
export function useShownLayers(present: readonly Layer[]) {
  const kept = useSyncExternalStore(subscribe, current, noneHidden);
  return useMemo(() => {
    const chosen = present.filter((layer) => !kept.split(' ').includes(layer));
    // A choice made with another melody never hides all of this one.
    return new Set(chosen.length > 0 ? chosen : present);
  }, [kept, present]);
}

export function showLayer(layer: Layer, isShown: boolean) {
  const without = hidden.split(' ').filter((each) => each !== layer && isLayer(each));
  hidden = (isShown ? without : [...without, layer]).join(' ');
  try {
    localStorage.setItem(KEY, hidden);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

const isLayer = (name: string) => LAYERS.some((layer) => layer === name);
const current = () => hidden;
const noneHidden = () => '';

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stored() {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
