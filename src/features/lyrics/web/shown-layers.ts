import { useMemo } from 'react';
import { readLocalStorage, writeLocalStorage } from '#web/device/local-storage.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import { LAYERS } from '../parse.ts';
import type { Layer } from '../tags.ts';

const KEY = 'hidden layers';

const hidden = createStore('');
hidden.set(readLocalStorage(KEY) ?? '');

/** Returns the layers of sung text to show. The choice applies to every melody and is stored on this device. */
export function useShownLayers(present: readonly Layer[]) {
  const hiddenLayers = useStore(hidden);
  return useMemo(() => {
    const chosen = present.filter((layer) => !hiddenLayers.split(' ').includes(layer));
    // Shows all layers if a choice made for another melody would hide every layer of this one.
    return new Set(chosen.length > 0 ? chosen : present);
  }, [hiddenLayers, present]);
}

export function setLayerShown(layer: Layer, isShown: boolean) {
  const without = hidden
    .get()
    .split(' ')
    .filter((each) => each !== layer && isLayer(each));
  hidden.set((isShown ? without : [...without, layer]).join(' '));
  writeLocalStorage(KEY, hidden.get());
}

const isLayer = (name: string) => LAYERS.some((layer) => layer === name);
