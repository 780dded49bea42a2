import type { BrowserCommand } from 'vitest/node';
import type {} from '@vitest/browser-playwright';

type Media = { reducedMotion?: 'reduce' | null; forcedColors?: 'active' | null; media?: 'print' | null };

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Emulates the user's system preferences, or printing; null resets them. */
    emulateMedia(media: Media): Promise<void>;
    /** Moves the mouse to a point of the page. Unlike `userEvent.pointer`, it works with fake timers. */
    moveMouse(x: number, y: number): Promise<void>;
  }
}

export const emulateMedia: BrowserCommand<[Media]> = ({ page }, media) => page.emulateMedia(media);

export const moveMouse: BrowserCommand<[number, number]> = async ({ page, iframe }, x, y) => {
  const frame = await iframe.owner().boundingBox();
  await page.mouse.move(frame!.x + x, frame!.y + y);
};
