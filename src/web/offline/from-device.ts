/** On answers that the device gave in place of the server. */
export const FROM_DEVICE_HEADER = 'x-from-device';

let isFromDevice = false;
const listeners = new Set<() => void>();

/** Whether the last answer came from the device, because the server could not be reached. */
export const lastAnswerIsFromDevice = () => isFromDevice;

export function noteAnswer(fromDevice: boolean) {
  if (fromDevice === isFromDevice) return;
  isFromDevice = fromDevice;
  listeners.forEach((listener) => listener());
}

export function subscribeToOrigin(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
