import { type ParseArgsConfig, parseArgs } from 'node:util'
import { findNetwork, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import { simulatedKeys, startSimulator } from './index.ts'
import type { SimulatedNetwork } from './simulated-network.ts'

switchOnNetworks(optionalNetworks.map(({ key }) => key))

const help = `lora-console simulate <network> [options]

Plays the far side of a network, with its API, for tests and demonstrations. Devices that are
registered there send frames of their sensors and answer downlinks.

  <network>               ${simulatedKeys.join(', ')}
  --host <address>        listens there (127.0.0.1)
  --port <number>         port of the API (8090)
  --callback <url>        where to post messages, for networks that are not told by their API
  --header <name: value>  header of every post, as the network account's callback says
  --mqtt <url>            publishes messages to this broker as well
  --device <EUI: name>    puts a device into the network, as its owner does in its console
  --interval <seconds>    how often each device sends on average; 0 for never (30)
  --retries <number>      how often a message that failed is sent again (0)
  --seed <number>         the same seed makes the same ids and measurements (1)
  --help                  shows this`

const { values, positionals } = readWords({
  allowPositionals: true,
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8090' },
    callback: { type: 'string' },
    header: { type: 'string' },
    mqtt: { type: 'string' },
    device: { type: 'string', multiple: true, default: [] },
    interval: { type: 'string', default: '30' },
    retries: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else
  await run(positionals[0]).catch((error) => fail(error instanceof Error ? error.message : error))

function readWords<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}; --help lists the options.`)
  }
}

async function run(name: string | undefined): Promise<void> {
  if (positionals.length > 1) fail(`"${positionals[1]}" is too much; --help lists the options.`)
  const key = findNetwork(name ?? '')?.key ?? ''
  if (!simulatedKeys.includes(key)) fail(`Name one of the networks: ${simulatedKeys.join(', ')}.`)
  const interval = readNumber('interval', values.interval, 86_400)
  const simulator = await startSimulator(key, {
    host: values.host,
    port: readNumber('port', values.port, 65_535),
    seed: readNumber('seed', values.seed, 4_294_967_295),
    retries: readNumber('retries', values.retries, 10),
    ...(values.mqtt === undefined ? {} : { brokerUrl: values.mqtt }),
  })
  if (values.callback) {
    if (!URL.canParse(values.callback))
      fail('--callback must be an address, http://... for instance.')
    const [header, value] = readPair('header', values.header ?? 'X-Simulator: 1')
    simulator.setCallback({ url: values.callback, header, value })
  }
  for (const device of values.device) simulator.addDevice(...readPair('device', device))
  if (interval > 0) simulator.startTraffic(interval * 1_000)
  const width = Math.max(...Object.keys(simulator.account).map((field) => field.length))
  console.log(`Values of the network account ${simulator.network}:`)
  for (const [field, value] of Object.entries(simulator.account)) {
    console.log(`  ${field.padEnd(width)}  ${value}`)
  }
  process.once('SIGINT', () => stop(simulator))
  process.once('SIGTERM', () => stop(simulator))
}

async function stop(simulator: SimulatedNetwork): Promise<void> {
  await simulator.close()
  const { delivered, failed, lost } = simulator.counts
  console.log(`Messages: ${delivered} delivered, ${failed} failed, ${lost} lost.`)
}

function readNumber(name: string, text: string, limit: number): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= limit) return number
  fail(`--${name} must be a number from 0 to ${limit}.`)
}

/** `name: value` */
function readPair(name: string, text: string): [string, string] {
  const [left = '', ...rest] = text.split(':')
  if (left.trim() === '' || rest.length === 0) fail(`--${name} must be like "name: value".`)
  return [left.trim(), rest.join(':').trim()]
}

function fail(words: string): never {
  console.error(words)
  process.exit(2)
}
