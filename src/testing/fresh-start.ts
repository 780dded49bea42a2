import { vi } from 'vitest';

// Files share a process, and what packages they have loaded. What one file replaced is put back before the next, and
// our own modules are loaded anew.
vi.unstubAllGlobals();
vi.unstubAllEnvs();
vi.useRealTimers();
vi.resetModules();
