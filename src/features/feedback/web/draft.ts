import type { Draft, Mark } from '../contract.ts';

/** What a teacher has written of an answer. */
export type Written = { text: string; marks: readonly Mark[] };

/** The same as this device keeps it: since when (ms), and whether the server has it too. */
export type DeviceDraft = Written & { at: number; isOnServer: boolean };

export const NOTHING: Written = { text: '', marks: [] };

export const isNothing = ({ text, marks }: Written) => text.trim() === '' && marks.length === 0;

/**
 * What the form begins with. What the server has counts, for it may be from another browser; except where this device
 * holds something newer that never arrived there, and where the recording has gone, which took the server's along.
 */
export function mergeDraft(device: DeviceDraft | null, server: Draft | undefined, isGone = false): Written {
  if (device && isGone && !server) return { text: device.text, marks: device.marks };
  const fromServer = server ? { text: server.text, marks: server.marks } : NOTHING;
  if (!device || device.isOnServer) return fromServer;
  if (server && Date.parse(server.updatedAt) > device.at) return fromServer;
  return { text: device.text, marks: device.marks };
}

export const packed = (draft: DeviceDraft) => JSON.stringify(draft);

/** Reads what the device kept; what an older version kept was the text alone. */
export function unpacked(kept: string): DeviceDraft | null {
  if (kept === '') return null;
  try {
    const { text, marks, at, isOnServer } = JSON.parse(kept) as Partial<DeviceDraft>;
    if (typeof text === 'string' && Array.isArray(marks) && typeof at === 'number')
      return { text, marks, at, isOnServer: isOnServer === true };
  } catch {
    // No JSON: the text itself.
  }
  return { text: kept, marks: [], at: Date.now(), isOnServer: false };
}
