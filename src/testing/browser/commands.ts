import type { BrowserCommand } from 'vitest/node';
import type {} from '@vitest/browser-playwright';

type Media = { reducedMotion?: 'reduce' | null; forcedColors?: 'active' | null; media?: 'print' | null };

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** What the person has asked of the system; null is nothing. */
    emulateMedia(media: Media): Promise<void>;
    /** To a place of the page. Unlike `userEvent.pointer`, it leaves a clock that is stopped alone. */
    moveMouse(x: number, y: number): Promise<void>;
  }
}

export const emulateMedia: BrowserCommand<[Media]> = ({ page }, media) => page.emulateMedia(media);

export const moveMouse: BrowserCommand<[number, number]> = async ({ page, iframe }, x, y) => {
  const frame = await iframe.owner().boundingBox();
  await page.mouse.move(frame!.x + x, frame!.y + y);
};
