import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Finds a working ffmpeg. Without ffmpeg, the server can't decode AAC and some rarer formats (see
 * `decodeWithWasm`), whose peaks must then come from the browser.
 * @param setting value of FFMPEG_PATH. If undefined or empty, the PATH is searched; if 'none', ffmpeg is not
 * used.
 * @returns path of ffmpeg; null if there is none
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
 * Returns whether the program at this path is a working ffmpeg. Checking that the file exists is not enough: if
 * a library of ffmpeg is missing, ffmpeg can't run, and every upload would look broken.
 */
async function canRun(path: string): Promise<boolean> {
  try {
    const { stdout } = await run(path, ['-version'], { timeout: 10_000 });
    return stdout.startsWith('ffmpeg version');
  } catch {
    return false;
  }
}
