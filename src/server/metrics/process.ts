import { monitorEventLoopDelay } from 'node:perf_hooks';
import { programVersion } from '../config/project.ts';
import { gauge, type Family } from './families.ts';

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** What this process takes, under the names that dashboards for Node know. */
export function watchProcess() {
  const startedAt = Date.now() / 1000 - process.uptime();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();

  /** It measures how far apart its ticks are; NaN without any. */
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000) || 0;

  return {
    families(): Family[] {
      const memory = process.memoryUsage();
      const cpu = process.cpuUsage();
      const ofLoop = {
        mean: delay.mean,
        p50: delay.percentile(50),
        p99: delay.percentile(99),
        max: delay.max,
      };
      // Or a bad minute would be hidden by the good hours before it, or stay for ever.
      delay.reset();
      return [
        {
          ...gauge('yangchen_build_info', 'Which version runs, on which Node; always 1.', 1),
          samples: [{ labels: { version: programVersion, node: process.versions.node }, value: 1 }],
        },
        gauge('process_start_time_seconds', 'When the process started, since 1970.', startedAt),
        {
          ...gauge('process_cpu_seconds_total', 'CPU time of this process.', (cpu.user + cpu.system) / 1e6),
          type: 'counter',
        },
        gauge('process_resident_memory_bytes', 'Memory of this process.', memory.rss),
        gauge('nodejs_heap_size_used_bytes', 'Of it, JavaScript objects.', memory.heapUsed),
        gauge('nodejs_external_memory_bytes', 'Of it, buffers and the like.', memory.external),
        ...Object.entries(ofLoop).map(([name, value]) =>
          gauge(
            `nodejs_eventloop_lag_${name}_seconds`,
            `How late the event loop came to its timers since this was last asked for: ${name}.`,
            lag(value),
          ),
        ),
      ];
    },
    stop: () => void delay.disable(),
  };
}
