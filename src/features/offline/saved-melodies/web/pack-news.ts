let channel: BroadcastChannel | null = null;

/** On which pages and the service worker tell each other that the pack has changed. */
export const packChannel = () => (channel ??= new BroadcastChannel('pack'));

/** Tells all others. */
export const announcePack = () => packChannel().postMessage(null);
