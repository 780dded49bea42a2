import { join } from 'node:path';
import { buildFolder, projectFolder } from '../config/project.ts';
import type { DecoderTask } from './tasks.ts';
import { INPUT_FD, OUTPUT_FD, getDescriptorPath } from './file-descriptors.ts';

const isBuilt = import.meta.filename.startsWith(buildFolder);

/** Entry point of the decoder. */
export const DECODER_ENTRY_PATH = isBuilt
  ? join(buildFolder, '.server', 'main.decode.js')
  : join(import.meta.dirname, '../../main.decode.ts');

/**
 * Folders with the code that the decoder may read. The build contains all libraries and their WebAssembly,
 * except the picture library (sharp), whose native code stays where npm installed it.
 */
const DECODER_CODE = isBuilt ? ['dist/web/.server'] : ['src', 'node_modules'];
const PICTURE_LIBRARY = ['sharp', '@img', 'detect-libc', 'semver'].map((name) => `node_modules/${name}`);

/**
 * Returns the flags of Node's permission model, which is the only isolation on systems without namespaces.
 * JavaScript and WebAssembly may read the decoder's code and the task's input, and write its output. They may
 * spawn processes only if the task needs ffmpeg. The model doesn't restrict ffmpeg itself, the native code of
 * the picture library or, in Node 24, the network. The flags list each folder of code, and not the project's
 * folder, which by default contains the data folder, and often a file with secrets.
 */
export function getPermissionFlags(task: DecoderTask): string[] {
  const code = task.name === 'thumbnail' ? [...DECODER_CODE, ...PICTURE_LIBRARY] : DECODER_CODE;
  return [
    '--permission',
    ...code.map((folder) => `--allow-fs-read=${join(projectFolder, folder)}/`),
    // Lets Node read package.json, which declares that our files are ES modules.
    `--allow-fs-read=${join(projectFolder, 'package.json')}`,
    `--allow-fs-read=${getDescriptorPath(INPUT_FD)}`,
    `--allow-fs-write=${getDescriptorPath(OUTPUT_FD)}`,
    ...('ffmpegPath' in task && task.ffmpegPath ? ['--allow-child-process'] : []),
    ...(task.name === 'thumbnail' ? ['--allow-addons'] : []),
  ];
}
