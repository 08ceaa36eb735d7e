import { parseArgs } from 'node:util'
import { startChirpStackSimulator } from './chirpstack-simulator.ts'

const help = `Plays a ChirpStack v4 with one tenant, for tests and demonstrations.

  node server/src/simulator/main.ts [options]

  --host <address>        listens there (127.0.0.1)
  --port <number>         port of the gRPC API (8090)
  --api-key <text>        the API key to accept (a made-up one, the same for the same seed)
  --callback <url>        where to post events
  --header <name: value>  header of every post, as the network account's callback says
  --mqtt <url>            publishes events to this broker as well
  --interval <seconds>    how often each device sends on average; 0 for never (30)
  --latency <ms>          delay of every answer of the API (0)
  --loss <0..1>           share of events that are lost (0)
  --duplicates <0..1>     share of events that are sent twice (0)
  --retries <number>      how often a failed event is sent again (0)
  --seed <number>         the same seed makes the same ids and measurements (1)
  --help                  shows this`

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8090' },
    'api-key': { type: 'string' },
    callback: { type: 'string' },
    header: { type: 'string' },
    mqtt: { type: 'string' },
    interval: { type: 'string', default: '30' },
    latency: { type: 'string', default: '0' },
    loss: { type: 'string', default: '0' },
    duplicates: { type: 'string', default: '0' },
    retries: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else await run()

async function run() {
  const numbers = readNumbers({
    port: [values.port, 65_535],
    interval: [values.interval, 86_400],
    latency: [values.latency, 600_000],
    loss: [values.loss, 1],
    duplicates: [values.duplicates, 1],
    retries: [values.retries, 10],
    seed: [values.seed, 4_294_967_295],
  })
  const simulator = await startChirpStackSimulator({
    host: values.host,
    port: numbers.port,
    seed: numbers.seed,
    retries: numbers.retries,
    ...(values['api-key'] === undefined ? {} : { apiKey: values['api-key'] }),
  })
  simulator.faults.latencyMs = numbers.latency
  simulator.faults.eventLossRate = numbers.loss
  simulator.faults.duplicateRate = numbers.duplicates
  if (values.callback) {
    const [header = '', ...rest] = (values.header ?? 'X-Simulator: 1').split(':')
    const value = rest.join(':').trim()
    simulator.setIntegration({ url: values.callback, header: header.trim(), value })
  }
  if (values.mqtt) await simulator.connectBroker(values.mqtt)
  if (numbers.interval > 0) simulator.startTraffic(numbers.interval * 1_000)

  console.log('Values of the network account:')
  console.log(`  server             ${simulator.server}`)
  console.log(`  api_key            ${simulator.apiKey}`)
  console.log(`  tenant_id          ${simulator.tenantId}`)
  console.log(`  application_id     ${simulator.applicationId}`)
  console.log(`  device_profile_id  ${simulator.deviceProfileId}`)

  const stop = async () => {
    await simulator.close()
    const { delivered, failed, lost } = simulator.counts
    console.log(`Events: ${delivered} delivered, ${failed} failed, ${lost} lost.`)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/** Each option as a number from 0 to its limit; ends the program when one is none. */
function readNumbers<Name extends string>(
  options: Record<Name, [text: string, limit: number]>,
): Record<Name, number> {
  const numbers = {} as Record<Name, number>
  for (const name of Object.keys(options) as Name[]) {
    const [text, limit] = options[name]
    numbers[name] = Number(text)
    if (text.trim() === '' || !(numbers[name] >= 0 && numbers[name] <= limit)) {
      console.error(`--${name} must be a number from 0 to ${limit}.`)
      process.exit(2)
    }
  }
  return numbers
}
