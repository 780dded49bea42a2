import { findProgram } from '../find-chromium.js';
import { installByApt, mayInstallByApt } from './apt.js';

/** Debian's packages, each by a program in it. */
const PACKAGES = { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' };

/**
 * Tries to get the S3 store of the tests that need one; without it they are skipped, and say so.
 * @returns {Promise<number>} an exit code
 */
export async function provideCeph() {
  const missing = Object.entries(PACKAGES).filter(([program]) => !findProgram(program));
  if (missing.length > 0 && mayInstallByApt()) {
    console.log('Installing Ceph for the tests against an S3 store …');
    await installByApt(missing.map(([, name]) => name));
  }
  return 0;
}
