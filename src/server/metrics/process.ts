import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { programVersion } from '../config/project.ts';

export type AddGauge = ReturnType<typeof createGaugeAdder>;

/** Returns a function that adds a gauge to the registry and sets its value. */
export const createGaugeAdder = (registry: Registry) => (name: string, help: string, value: number) =>
  new Gauge({ name, help, registers: [registry] }).set(value);

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/**
 * Creates metrics of this process, with the names that dashboards for Node expect. Measures the event loop lag
 * here, because the library's own measurement reports the interval of its timer as lag.
 */
export function createProcessMetrics() {
  const startedAt = Date.now() / 1000 - process.uptime();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();

  /**
   * Converts a measured delay to the lag in seconds, by subtracting the interval of the timer. Returns 0 as
   * long as nothing has been measured, because the delay is then NaN.
   */
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000) || 0;

  return {
    addTo(registry: Registry) {
      const registers = [registry];
      const add = createGaugeAdder(registry);
      new Gauge({
        name: 'yangchen_build_info',
        help: 'Version of the program and of Node; always 1.',
        labelNames: ['version', 'node'],
        registers,
      }).set({ version: programVersion, node: process.versions.node }, 1);
      add('process_start_time_seconds', 'Start time of the process, in seconds since 1970.', startedAt);
      const cpu = process.cpuUsage();
      new Counter({
        name: 'process_cpu_seconds_total',
        help: 'CPU time of this process.',
        registers,
      }).inc((cpu.user + cpu.system) / 1e6);
      const memory = process.memoryUsage();
      add('process_resident_memory_bytes', 'Resident memory of this process.', memory.rss);
      add('nodejs_heap_size_used_bytes', 'Memory used by JavaScript objects.', memory.heapUsed);
      add(
        'nodejs_external_memory_bytes',
        'Memory used by buffers outside the JavaScript heap.',
        memory.external,
      );
      const { mean, max } = delay;
      const lags = { mean, p50: delay.percentile(50), p99: delay.percentile(99), max };
      // Resets the measurement at each scrape. Otherwise, good hours would hide a bad minute, or a bad minute
      // would be visible forever.
      delay.reset();
      for (const [name, value] of Object.entries(lags))
        add(
          `nodejs_eventloop_lag_${name}_seconds`,
          `Event loop delay since the last scrape: ${name}.`,
          lag(value),
        );
    },
    stop: () => void delay.disable(),
  };
}
