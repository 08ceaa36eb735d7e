import { startSimulator } from '../server/simulators/index.ts'

/*
 * The far side of ChirpStack in a process of its own. Asked for its account, it answers the fields of
 * PUT /network-accounts/chirpstack; asked about devices, how many downlinks their queues hold.
 */
const starting = startSimulator('chirpstack')

async function answer({ ask, euis = [] }: { ask?: string; euis?: string[] }): Promise<void> {
  const simulator = await starting
  if (ask === 'account') process.send?.(simulator.account)
  if (ask === 'queued') {
    const counts = euis.map((eui) => simulator.findDevice(eui)?.queue.length ?? 0)
    process.send?.(counts.reduce((sum, count) => sum + count, 0))
  }
}

// Before anything is awaited: what is asked while it starts would be lost.
process.on('message', (message: { ask?: string; euis?: string[] }) => void answer(message))
process.on('SIGTERM', () => process.exit(0))
