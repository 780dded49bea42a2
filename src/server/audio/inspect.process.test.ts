import { execFileSync, spawn } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { getTestAudioPath } from '#testing/audio-expectations.ts';
import { killProcess } from '#testing/kill-process.ts';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { NO_SANDBOX, openSandbox } from '../decoding/sandbox.ts';
import { extractSoundFeatures } from '#features/line-matching/server/find-lines.ts';
import { inspectAudio } from './inspect.ts';
import { createSoundCopy } from './create-sound-copy.ts';
import { waitFor } from '#testing/wait-for.ts';

const rules = { maxSeconds: 30 * 60 };
const sandbox = await openSandbox({ hide: [] });
const without = { ffmpegPath: null, sandbox };
const within = (limits: { baseMs?: number; memoryBytes?: number } = {}) => ({
  limits: { baseMs: 60_000, perMegabyteMs: 0, memoryBytes: 512 * 1024 * 1024, ...limits },
});
const ample = within();
const unread = {
  code: 'unsupported-media',
  message: expect.stringContaining('couldn’t read all of this file'),
};
const folder = createTemporaryFolderPerTest();

/**
 * Returns options without the sandbox, so that the fake ffmpeg can write its pid. In the sandbox, all files are
 * read-only.
 */
const writing = (ffmpegPath: string) => ({ ffmpegPath, sandbox: NO_SANDBOX });

/** Shell script of a fake ffmpeg that outputs silence forever: an AU header and then zeros. */
const SILENCE = String.raw`printf '.snd\000\000\000\030\377\377\377\377\000\000\000\003\000\000\175\000\000\000\000\001'; exec cat /dev/zero`;

/** Creates a fake ffmpeg that writes its pid to a file and hangs. */
async function hangingProgram() {
  const pidFile = join(folder(), 'pid');
  return { pidFile, hanging: await program(`echo $$ > ${pidFile}; exec sleep 600`) };
}

/**
 * Repeats a task that hits its time limit. Doubles the limit each time, until the program has had time to
 * write its pid.
 * @returns the pid
 */
async function pidOnceItRan(pidFile: string, run: (limitMs: number) => Promise<unknown>): Promise<number> {
  for (let limitMs = 2_000; ; limitMs *= 2) {
    await expect(run(limitMs)).rejects.toMatchObject(unread);
    const pid = await readFile(pidFile, 'utf8').catch(() => '');
    if (pid !== '') return Number(pid);
  }
}

/**
 * Creates a FIFO. Opening it would block until a writer opens it too, which never happens, so the inspection
 * hangs.
 */
function endlessFile(): string {
  const path = join(folder(), 'endless.wav');
  execFileSync('mkfifo', [path]);
  return path;
}

// Only on Linux, because these tests read /proc.
describe.skipIf(process.platform !== 'linux')('inspection in a child process', () => {
  it('kills a hanging inspection at the time limit', async () => {
    const limits = within({ baseMs: 500 });
    await expect(inspectAudio(endlessFile(), rules, without, limits)).rejects.toMatchObject(unread);
    await waitFor(async () => expect(await childrenOf(process.pid)).toEqual([]));
  });

  it('kills a hanging ffmpeg together with its inspection at the time limit', async () => {
    const { hanging, pidFile } = await hangingProgram();
    const pid = await pidOnceItRan(pidFile, (baseMs) =>
      inspectAudio(getTestAudioPath('melody.m4a'), rules, writing(hanging), within({ baseMs })),
    );
    await waitFor(async () => expect(await isAlive(pid)).toBe(false));
  });

  it('stops an ffmpeg whose output is longer than the file', async () => {
    const talking = await program(SILENCE);
    const facts = await inspectAudio(
      getTestAudioPath('melody.m4a'),
      rules,
      { ffmpegPath: talking, sandbox },
      ample,
    );
    expect(facts).toMatchObject({ durationMs: 4800, peaks: new Uint8Array(200) });
  });

  it('reports a missing ffmpeg as a decoder failure, not as a damaged file', async () => {
    const inspection = inspectAudio(
      getTestAudioPath('melody.m4a'),
      rules,
      { ffmpegPath: '/no/ffmpeg', sandbox },
      ample,
    );
    await expect(inspection).rejects.toThrow(/decoder failed.*ENOENT/);
  });

  it.skipIf(sandbox.isolation === 'none')(
    'hides the data folder from ffmpeg, even while a file in it is being inspected',
    async () => {
      const beside = join(folder(), 'kept');
      await mkdir(beside);
      const path = join(beside, 'staged.m4a');
      await copyFile(getTestAudioPath('melody.m4a'), path);
      // This fake ffmpeg outputs audio only if it can't see the file in the folder.
      const looking = await program(`[ -z "$(ls -A ${beside})" ] || exit 1; ${SILENCE}`);
      const inside = { ffmpegPath: looking, sandbox: await openSandbox({ hide: [beside] }) };
      expect((await inspectAudio(path, rules, inside, ample)).peaks).toEqual(new Uint8Array(200));
      const outside = { ffmpegPath: looking, sandbox: NO_SANDBOX };
      await expect(inspectAudio(path, rules, outside, ample)).rejects.toMatchObject({
        code: 'unsupported-media',
      });
    },
  );

  it('kills an inspection that exceeds its memory limit', async () => {
    const limits = within({ memoryBytes: 8 * 1024 * 1024 });
    await expect(inspectAudio(endlessFile(), rules, without, limits)).rejects.toMatchObject(unread);
  });

  it('rejects an M4A whose index declares billions of packets', async () => {
    const bytes = await readFile(getTestAudioPath('melody.m4a'));
    bytes.writeUInt32BE(0xffff_ffff, bytes.indexOf('stts') + 12);
    bytes.writeUInt32BE(0xffff_ffff, bytes.indexOf('stsz') + 12);
    const path = join(folder(), 'endless-index.m4a');
    await writeFile(path, bytes);
    await expect(inspectAudio(path, rules, without, ample)).rejects.toMatchObject({
      code: expect.stringMatching(/unsupported-media|bad-input/),
    });
  });

  it('needs no child process to inspect a WAV or reject a file that is not audio', async () => {
    const nothing = { ffmpegPath: null, sandbox: { ...NO_SANDBOX, wrap: () => ['/bin/false'] } };
    const facts = await inspectAudio(getTestAudioPath('melody.wav'), rules, nothing);
    expect(facts).toMatchObject({ contentType: 'audio/wav', vbr: false });
    const text = join(folder(), 'text.mp3');
    await writeFile(text, 'This is no sound.');
    await expect(inspectAudio(text, rules, nothing)).rejects.toMatchObject({ code: 'unsupported-media' });
    await expect(inspectAudio(getTestAudioPath('melody-vbr.mp3'), rules, nothing)).rejects.toThrow(
      /does not start/,
    );
  });

  it('an inspection fails without an unhandled rejection if the decoder exits early', async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', listen);
    const handle = await open(getTestAudioPath('melody.wav'));
    await handle.close();
    const handles = Object.getPrototypeOf(handle) as FileHandle;
    vi.spyOn(handles, Symbol.asyncDispose).mockImplementation(async function (this: FileHandle) {
      // Waits longer than the decoder takes to exit.
      await sleep(500);
      await this.close();
    });
    try {
      const broken = { ffmpegPath: null, sandbox: { ...NO_SANDBOX, wrap: () => ['/bin/false'] } };
      await expect(inspectAudio(getTestAudioPath('melody-vbr.mp3'), rules, broken)).rejects.toThrow(
        /does not start/,
      );
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  it('inspects a short file without waiting for long files', async () => {
    const hanging = writing(await program('exec sleep 600'));
    const song = await readFile(getTestAudioPath('melody-vbr.mp3'));
    const long = join(folder(), 'long.mp3');
    await writeFile(long, Buffer.concat(Array.from({ length: Math.ceil(11e6 / song.length) }, () => song)));
    const longOnes = [1, 2].map(() => inspectAudio(long, { maxSeconds: 1e6 }, hanging, ample));
    let isOver = false;
    const ended = Promise.allSettled(longOnes).then(() => (isOver = true));
    await inspectAudio(getTestAudioPath('melody-vbr.mp3'), rules, without);
    expect(isOver).toBe(false);
    while (!isOver) {
      for (const pid of await childrenOf(process.pid)) killProcess(-pid);
      await setImmediate();
    }
    await ended;
  });

  it('reports an initial progress of 0, and then progress every two minutes of audio', async () => {
    const song = await readFile(getTestAudioPath('melody-cbr.mp3'));
    const long = join(folder(), 'minutes.mp3');
    await writeFile(long, Buffer.concat(Array.from({ length: 100 }, () => song)));
    const progressOf = async (path: string) => {
      const told: number[] = [];
      const { durationMs } = await inspectAudio(path, rules, without, {
        onProgress: (fraction) => told.push(fraction),
      });
      return { minutes: durationMs / 60_000, told };
    };
    const { minutes, told } = await progressOf(long);
    expect(minutes).toBeGreaterThan(8);
    expect(told).toHaveLength(1 + Math.floor(minutes / 2));
    told.forEach((fraction, report) => expect(fraction).toBeCloseTo((2 * report) / minutes, 1));
    expect((await progressOf(getTestAudioPath('melody-cbr.mp3'))).told).toEqual([0]);
  });

  it('ignores invalid or decreasing progress reported by a decoder', async () => {
    const lies = ['0.9', [0.9], NaN, -1, 1.01, Infinity, null, 0.5, 0.25, 0.75];
    const script = `process.once('message', () => {
      for (const progress of [${lies.map((lie) => (typeof lie === 'number' ? lie : JSON.stringify(lie))).join()}]) process.send({ progress });
      process.send({ done: { facts: ${FACTS} } });
    }); process.send('ready');`;
    const told: number[] = [];
    const onProgress = (fraction: number) => told.push(fraction);
    const facts = await inspectAudio(getTestAudioPath('melody-cbr.mp3'), rules, running(script), {
      onProgress,
    });
    expect(facts).toMatchObject({ extension: 'mp3', durationMs: 4800 });
    expect(told).toEqual([0, 0.5, 0.75]);
  });

  it.each([
    "'all that was found'",
    "{ ...facts, contentType: 'text/html' }",
    "{ ...facts, extension: '../../kept/x' }",
    '{ ...facts, durationMs: NaN }',
    '{ ...facts, durationMs: 1e12 }',
    '{ ...facts, peaks: new Uint8Array(1_000_000) }',
  ])('rejects invalid facts reported by a decoder: %s', async (lie) => {
    const script = `const facts = ${FACTS};
      process.once('message', () => process.send({ done: { facts: ${lie} } })); process.send('ready');`;
    const inspection = inspectAudio(getTestAudioPath('melody-cbr.mp3'), rules, running(script), ample);
    await expect(inspection).rejects.toThrow('invalid result');
  });

  it('stops a decoder that sends too many messages', async () => {
    const script = `process.once('message', () => {
      for (let report = 0; report < 100; report += 1) process.send({ progress: 0.5 });
      process.send({ done: { facts: 'all that was found' } });
    }); process.send('ready');`;
    await expect(
      inspectAudio(getTestAudioPath('melody-cbr.mp3'), rules, running(script), ample),
    ).rejects.toMatchObject(unread);
    await waitFor(async () => expect(await childrenOf(process.pid)).toEqual([]));
  });

  it.each([
    ['one message', 'write(4_000_000_000, Buffer.alloc(17_000_000))'],
    [
      'many messages',
      'for (let at = 0; at < 17; at += 1) process.send({ progress: 0, more: Buffer.alloc(1_000_000) })',
    ],
  ])('kills a decoder that sends more than 16 MB in %s', async (_, flood) => {
    const script = `process.once('message', () => { ${flood}; }); process.send('ready');`;
    await expect(
      inspectAudio(getTestAudioPath('melody-cbr.mp3'), rules, running(script), ample),
    ).rejects.toMatchObject(unread);
    await waitFor(async () => expect(await childrenOf(process.pid)).toEqual([]));
  });

  it.each(['null', '7', "'ready'", '{ refused: null }'])(
    'an invalid message from a decoder fails only that inspection: %s',
    async (message) => {
      const script = `process.send('ready'); process.send(${message}); setTimeout(() => {}, 600_000);`;
      await expect(
        inspectAudio(getTestAudioPath('melody-cbr.mp3'), rules, running(script), ample),
      ).rejects.toThrow('invalid result');
    },
  );

  it.each(["'many'", 'new Uint8Array([9, 9, 9])', 'new Uint8Array(1_000_000).fill(2)'])(
    'rejects invalid features reported by a decoder: %s',
    async (features) => {
      const script = `process.once('message', () => process.send({ done: { features: ${features} } }));
        process.send('ready');`;
      const sound = { path: getTestAudioPath('melody.wav'), seconds: 5 };
      await expect(extractSoundFeatures(sound, running(script))).rejects.toThrow('invalid result');
    },
  );

  it('a decoder exits when its parent process is killed', async () => {
    const inspect = JSON.stringify(new URL('./inspect.ts', import.meta.url).href);
    const box = JSON.stringify(new URL('../decoding/sandbox.ts', import.meta.url).href);
    const path = JSON.stringify(endlessFile());
    const script = `const { inspectAudio } = await import(${inspect});
      const { openSandbox } = await import(${box});
      await inspectAudio(${path}, { maxSeconds: 1 }, { ffmpegPath: null, sandbox: await openSandbox({ hide: [] }) });`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const child = await waitFor(async () => {
      const [pid] = await childrenOf(parent.pid!);
      if (!pid) throw new Error('no child yet');
      return pid;
    });
    parent.kill('SIGKILL');
    await waitFor(async () => expect(await isAlive(child)).toBe(false));
  });
});

/** Returns the request for a full copy of an MP3 of variable bit rate. */
const createCopyRequest = async () => {
  const { durationMs } = await inspectAudio(getTestAudioPath('melody-vbr.mp3'), rules, without);
  return { copy: 'full' as const, durationMs, seeksExactly: false, insteadOf: 0 };
};

describe.skipIf(process.platform !== 'linux')('createSoundCopy', () => {
  it('kills an ffmpeg that hangs while creating a copy', async () => {
    const { hanging, pidFile } = await hangingProgram();
    const to = join(folder(), 'copy.m4a');
    const copy = await createCopyRequest();
    const { memoryBytes } = ample.limits;
    const pid = await pidOnceItRan(pidFile, (baseMs) =>
      createSoundCopy(getTestAudioPath('melody-vbr.mp3'), to, copy, writing(hanging), {
        ...{ baseMs, perMinuteMs: 0, memoryBytes },
      }),
    );
    await waitFor(async () => expect(await isAlive(pid)).toBe(false));
  });

  it('aborting the creation of a copy stops its ffmpeg', async () => {
    const { hanging, pidFile } = await hangingProgram();
    const ending = new AbortController();
    const copying = createSoundCopy(
      getTestAudioPath('melody-vbr.mp3'),
      join(folder(), 'copy.m4a'),
      await createCopyRequest(),
      {
        ...writing(hanging),
        signal: ending.signal,
      },
    );
    const ended = expect(copying).rejects.toMatchObject(unread);
    await waitFor(async () => expect(await readFile(pidFile, 'utf8')).not.toBe(''));
    ending.abort();
    await ended;
    const pid = Number(await readFile(pidFile, 'utf8'));
    await waitFor(async () => expect(await isAlive(pid)).toBe(false));
  });

  it('creating a copy fails if the copy is shorter than the original', async () => {
    const cutting = await program(
      `for last; do :; done; cp ${getTestAudioPath('trunc-melody.m4a')} "\${last#file:}"`,
    );
    const copying = createSoundCopy(
      getTestAudioPath('melody-vbr.mp3'),
      join(folder(), 'cut.m4a'),
      await createCopyRequest(),
      {
        ffmpegPath: cutting,
        sandbox,
      },
    );
    await expect(copying).rejects.toThrow(/lasts/);
  });
});

/** JavaScript literal with valid `AudioFacts` of an MP3, for the scripts of the fake decoder. */
const FACTS = `{ contentType: 'audio/mpeg', extension: 'mp3', durationMs: 4800, peaks: null, vbr: false }`;

/** JavaScript that makes `process.send` write to our channel instead of Node's IPC channel. */
const CHANNEL = `
  const channel = new (require('node:net').Socket)({ fd: 3 });
  const write = (length, bytes) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(length);
    channel.write(Buffer.concat([head, bytes]));
  };
  process.send = (value) => {
    const bytes = require('node:v8').serialize(value);
    write(bytes.length, bytes);
  };
  channel.once('data', () => process.emit('message'));`;

/** Simulates a decoder that was taken over by a crafted file and runs this script. */
const running = (script: string) => ({
  ffmpegPath: null,
  sandbox: { ...NO_SANDBOX, wrap: () => [process.execPath, '-e', `${CHANNEL}${script}`] },
});

async function program(commands: string): Promise<string> {
  const path = join(folder(), 'program');
  await writeFile(path, `#!/bin/sh\n${commands}\n`);
  await chmod(path, 0o755);
  return path;
}

/** Returns the pids of inspections that run as children of a process. */
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean);
  const mine = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return status.includes(`\nPPid:\t${parent}\n`) && command.includes('main.decode');
    }),
  );
  return pids.filter((_, i) => mine[i]);
}

/** Returns whether a process is running. A zombie (exited but not reaped) doesn't count. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return status !== '' && !/^State:\s+Z/m.test(status);
}
