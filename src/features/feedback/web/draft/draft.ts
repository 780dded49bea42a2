import type { Kept } from '../../../../platform/web/drafts/draft-storage.ts';
import type { Draft, Mark } from '../../contract.ts';
import { areSameMarks } from '../../marks.ts';

/** What a teacher has written of an answer. */
export type Written = { text: string; marks: readonly Mark[] };

/** The same as this device keeps it. */
export type DeviceDraft = Written & {
  /** Whether the server has it too. */
  isOnServer: boolean;
  /** What the server may have that this was written from: what was loaded, and what went there since. */
  basedOn: readonly Written[];
};

export const NOTHING: Written = { text: '', marks: [] };

export const isNothing = ({ text, marks }: Written) => text.trim() === '' && marks.length === 0;

export const areSameWords = (a: Written, b: Written) => a.text === b.text && areSameMarks(a.marks, b.marks);

/** What the form begins with, and what else the device has, which is shown beside it. */
export type Merged = { written: Written; besides: Written | null };

/**
 * What the server has counts, for it may be from another browser; except where this device holds something that was
 * written from it and never arrived there, and where the recording has gone, which took the server's along. No clock
 * decides, for a device's may be wrong: where both were changed, both are shown.
 */
export function mergeDraft(device: DeviceDraft | null, server: Draft | undefined, isGone = false): Merged {
  const fromDevice = device && { text: device.text, marks: device.marks };
  const fromServer = server ? { text: server.text, marks: server.marks } : NOTHING;
  const only = (written: Written): Merged => ({ written, besides: null });
  if (!device || !fromDevice) return only(fromServer);
  if (isGone && !server) return only(fromDevice);
  if (device.isOnServer) return only(fromServer);
  if (!server || [fromDevice, ...device.basedOn].some((each) => areSameWords(each, fromServer)))
    return only(fromDevice);
  return isNothing(fromDevice) ? only(fromServer) : { written: fromServer, besides: fromDevice };
}

/** Reads what the device kept; what an older version kept was the text alone, or did not say what it was based on. */
export function unpacked(kept: Kept | null): DeviceDraft | null {
  if (kept === null) return null;
  if (typeof kept === 'string') return { text: kept, marks: [], isOnServer: false, basedOn: [] };
  const { text = '', marks = [], isOnServer = false, basedOn = [] } = kept as Partial<DeviceDraft>;
  return { text, marks, isOnServer, basedOn };
}
