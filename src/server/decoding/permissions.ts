import { join } from 'node:path';
import { buildFolder, projectFolder } from '../config/project.ts';
import type { Task } from './tasks.ts';
import { INPUT, OUTPUT, pathOfOpen } from './open-files.ts';

const isBuilt = import.meta.filename.startsWith(buildFolder);

/** The program of the decoder. */
export const CHILD = isBuilt
  ? join(buildFolder, '.server', 'main.decode.js')
  : join(import.meta.dirname, '../../main.decode.ts');

/** The build has WebAssembly and all libraries but the one for pictures, whose native code stays where npm put it. */
const CODE = isBuilt ? ['dist/web/.server'] : ['src', 'node_modules'];
const PICTURE_LIBRARY = ['sharp', '@img', 'detect-libc', 'semver'].map((name) => `node_modules/${name}`);

/**
 * Flags of Node's permission model, the only isolation where there are no namespaces: JavaScript and WebAssembly may
 * read the decoder's code and the one file, and may spawn only if the task needs ffmpeg. It binds neither that child nor
 * the native code of the picture library, and in Node 24 not the network. The folders are exact because the project's
 * folder has the data folder in it by default, and often a file with secrets.
 */
export function permissionsOf(task: Task): string[] {
  const code = task.name === 'thumbnail' ? [...CODE, ...PICTURE_LIBRARY] : CODE;
  return [
    '--permission',
    ...code.map((folder) => `--allow-fs-read=${join(projectFolder, folder)}/`),
    // Node looks up in it that our files are modules.
    `--allow-fs-read=${join(projectFolder, 'package.json')}`,
    `--allow-fs-read=${pathOfOpen(INPUT)}`,
    `--allow-fs-write=${pathOfOpen(OUTPUT)}`,
    ...('ffmpegPath' in task && task.ffmpegPath ? ['--allow-child-process'] : []),
    ...(task.name === 'thumbnail' ? ['--allow-addons'] : []),
  ];
}
