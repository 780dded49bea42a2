import { useMemo } from 'react';
import { readLocal, writeLocal } from '#web/device/local-storage.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import { LAYERS } from '../parse.ts';
import type { Layer } from '../tags.ts';

const KEY = 'hidden layers';

const hidden = createStore('');
hidden.set(readLocal(KEY) ?? '');

/** The layers of sung text to show: one choice for every melody, stored on this device. */
export function useShownLayers(present: readonly Layer[]) {
  const kept = useStore(hidden);
  return useMemo(() => {
    const chosen = present.filter((layer) => !kept.split(' ').includes(layer));
    // A choice made with another melody never hides all of this one.
    return new Set(chosen.length > 0 ? chosen : present);
  }, [kept, present]);
}

export function showLayer(layer: Layer, isShown: boolean) {
  const without = hidden
    .get()
    .split(' ')
    .filter((each) => each !== layer && isLayer(each));
  hidden.set((isShown ? without : [...without, layer]).join(' '));
  writeLocal(KEY, hidden.get());
}

const isLayer = (name: string) => LAYERS.some((layer) => layer === name);
