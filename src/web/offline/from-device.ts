import { createStore, type ReadableStore } from '../store.ts';

/** Header of responses that came from the device instead of the server. */
export const FROM_DEVICE_HEADER = 'x-from-device';

const isFromDevice = createStore(false);

/** Whether the last response came from the device because the server could not be reached. */
export const isLastResponseFromDevice: ReadableStore<boolean> = isFromDevice;

export const setIsLastResponseFromDevice = (fromDevice: boolean) => isFromDevice.set(fromDevice);
