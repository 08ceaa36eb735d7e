import { startSimulator } from '../server/simulators/index.ts'

/*
 * ChirpStack's simulator in a process of its own. `account` answers the fields of
 * PUT /network-accounts/chirpstack, `queued` the number of downlinks in the queues of some devices.
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

// Listens before anything is awaited: questions during the start would be lost.
process.on('message', (message: { ask?: string; euis?: string[] }) => void answer(message))
process.on('SIGTERM', () => process.exit(0))
