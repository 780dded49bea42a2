let channel: BroadcastChannel | null = null;

/** Returns the channel on which pages and the service worker announce changes of the pack. */
export const packChannel = () => (channel ??= new BroadcastChannel('pack'));

/** Notifies all other pages and the service worker that the pack has changed. */
export const announcePack = () => packChannel().postMessage(null);
