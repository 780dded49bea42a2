import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Finds a working ffmpeg. Without one, AAC files get no peaks from the server; all other formats are decoded here.
 * @param setting the value of FFMPEG_PATH; absent or empty: search the PATH; 'none': use no ffmpeg
 * @returns its path, or null if there is none
 * @throws Error naming FFMPEG_PATH if it is set and cannot be run
 */
export async function findFfmpeg(setting: string | undefined): Promise<string | null> {
  if (setting === 'none') return null;
  if (setting) {
    if (await canRun(setting)) return setting;
    throw new Error(`FFMPEG_PATH is ${setting}, which cannot be run as ffmpeg.`);
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, 'ffmpeg');
    if (await canRun(path)) return path;
  }
  return null;
}

/**
 * Runs the program to check it. A file that exists is not enough: an ffmpeg with a missing library would make every
 * upload look broken.
 */
async function canRun(path: string): Promise<boolean> {
  try {
    const { stdout } = await run(path, ['-version'], { timeout: 10_000 });
    return stdout.startsWith('ffmpeg version');
  } catch {
    return false;
  }
}
