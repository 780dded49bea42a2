import { setTimeout as wait } from 'node:timers/promises';
import { ATTACKS, type Attack, type AttackInput } from '../starvation.ts';

// One attack in a process of its own: attacker.ts <attack> <its input, as JSON>. Runs until it is killed.

const [attack, input] = process.argv.slice(2) as [Attack, string];
const counts: Record<string, number> = {};
const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
process.on('message', () => process.send!(counts));
process.send!('ready');
await ATTACKS[attack](JSON.parse(input) as AttackInput, count);
for (;;) await wait(1_000);
