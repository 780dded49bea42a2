import { vi } from 'vitest';

// Test files share a process and its loaded packages. So this module restores what the previous file
// replaced, and reloads our modules.
vi.unstubAllGlobals();
vi.unstubAllEnvs();
vi.useRealTimers();
vi.resetModules();
