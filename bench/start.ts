import { execFileSync } from 'node:child_process';
import { median } from '../e2e/sound.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { cpuMsOf, memoryOf } from './process-usage.ts';

/**
 * Measures what a start on an existing data folder takes until the program listens: the CPU time of the program itself,
 * without its database, and the memory that it then has. From the build, as people start it, and from the sources, as
 * the reference; in turns, so that whatever else the machine does affects both alike.
 */
const RUNS = 7;
const MAINS = { build: undefined, sources: 'src/main.server.ts' };

/** Of the sources' CPU time and memory. */
const bounds = { cpu: 0.6, memory: 0.6 };

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: 'inherit' });
const { dataDir, remove } = await newDataFolder();
const cpu = { build: [] as number[], sources: [] as number[] };
const memory = { build: [] as number[], sources: [] as number[] };
try {
  // What the first start creates, and what Node keeps of each, is there from then on.
  for (const main of Object.values(MAINS)) await (await startProgram({ dataDir, main })).end();
  for (let run = 0; run < RUNS; run += 1) {
    for (const from of ['build', 'sources'] as const) {
      const program = await startProgram({ dataDir, main: MAINS[from] });
      cpu[from].push((await cpuMsOf(program.child.pid!)) / 1000);
      memory[from].push(await memoryOf(program.child.pid!));
      await program.end();
    }
  }
} finally {
  await remove();
}
const isWithin = [
  tell('CPU time in seconds', cpu, bounds.cpu),
  tell('memory in MiB', memory, bounds.memory),
].every(Boolean);
process.exitCode = isWithin ? 0 : 1;

function tell(what: string, { build, sources }: typeof cpu, bound: number): boolean {
  const ratio = median(build) / median(sources);
  console.log(
    `${what}: build ${median(build).toFixed(2)}, sources ${median(sources).toFixed(2)}, ` +
      `ratio ${ratio.toFixed(2)} (at most ${bound})`,
  );
  return ratio <= bound;
}
