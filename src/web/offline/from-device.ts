import { createStore, type Readable } from '../store.ts';

/** On answers that the device gave in place of the server. */
export const FROM_DEVICE_HEADER = 'x-from-device';

const isFromDevice = createStore(false);

/** Whether the last answer came from the device, because the server could not be reached. */
export const lastAnswerIsFromDevice: Readable<boolean> = isFromDevice;

export const noteAnswer = (fromDevice: boolean) => isFromDevice.set(fromDevice);
