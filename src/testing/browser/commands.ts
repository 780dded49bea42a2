import type { BrowserCommand } from 'vitest/node';
import type {} from '@vitest/browser-playwright';

type Media = { reducedMotion?: 'reduce' | null; forcedColors?: 'active' | null; media?: 'print' | null };

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** What the person has asked of the system; null is nothing. */
    emulateMedia(media: Media): Promise<void>;
  }
}

export const emulateMedia: BrowserCommand<[Media]> = ({ page }, media) => page.emulateMedia(media);
