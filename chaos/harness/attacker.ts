import { setTimeout as wait } from 'node:timers/promises';
import { STARVATION_ATTACKS, type StarvationAttack, type AttackInput } from '../starvation.ts';

// Runs one attack until this process is killed: attacker.ts <attack> <input as JSON>

const [attack, input] = process.argv.slice(2) as [StarvationAttack, string];
const counts: Record<string, number> = {};
const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
process.on('message', () => process.send!(counts));
process.send!('ready');
await STARVATION_ATTACKS[attack](JSON.parse(input) as AttackInput, count);
for (;;) await wait(1_000);
