let channel: BroadcastChannel | null = null;

/** Returns the channel on which pages and the service worker announce changes to the pack. */
export const getPackChannel = () => (channel ??= new BroadcastChannel('pack'));

/** Notifies all other pages and the service worker that the pack has changed. */
export const announcePackChange = () => getPackChannel().postMessage(null);
