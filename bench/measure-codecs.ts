import type { CodecOutcome } from '../server/src/sensors/codecs/codec.ts'
import { createCodecPool, defaultPoolLimits } from '../server/src/sensors/codecs/pool.ts'
import { createSandbox } from '../server/src/sensors/codecs/sandbox.ts'
import type { Bench } from './bench.ts'
import { ratesFigure, takeTurns } from './compare.ts'
import { type Figure, format, median, type Proof, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import type { Load } from './generator.ts'
import { payload } from './uplink-message.ts'

const devices = 1000
const connections = 256
const askedFor = 10_000
const cachedCodecs = 500

/** The work of a usual codec: header, a switch, signed and scaled numbers, a few members. */
const codec = `function readTenths(bytes, index) {
  var value = bytes[index] & 0x80 ? bytes[index] - 256 : bytes[index]
  return Math.round((value + (bytes[index + 1] >> 4) / 10) * 10) / 10
}
var events = ['Periodic Report', 'Above', 'Below', 'Increase', 'Decrease']
function decodeUplink(input) {
  var bytes = input.bytes
  var decoded = { protocol: bytes[0] >> 4, counter: bytes[0] & 0x0f }
  switch (bytes[1]) {
    case 0x0d:
      decoded.event = events[bytes[2]] || 'Unknown'
      decoded.temperature = readTenths(bytes, 3)
      decoded.humidity = readTenths(bytes, 5)
      break
    default:
      return { errors: ['unknown event'] }
  }
  return { data: decoded, warnings: [], errors: [] }
}`

/** The cost of the organizations' codecs: by themselves, and during ingest. */
export async function measureCodecs(bench: Bench): Promise<Result> {
  const decoding = await measureDecoding(bench)
  const cache = await measureCache(bench)
  const ingest = await measureIngest(bench)
  return {
    figures: [decoding, cache, ...ingest.figures],
    proofs: ingest.proofs,
  }
}

/** Runs frames of one organization through the pool, each in a fresh context. */
async function measureDecoding({ settings, progress }: Bench): Promise<Figure> {
  const pool = createCodecPool()
  const input = JSON.stringify({
    bytes: [...payload(7)],
    fPort: 1,
    recvTime: new Date().toISOString(),
    variables: {},
  })
  const decode = () =>
    pool.run({
      user: { organizationId: 1, tenantId: 1 },
      codecId: 'bench',
      source: codec,
      name: 'decodeUplink',
      input,
    })
  try {
    const rates: number[] = []
    for (let round = 0; round <= settings.rounds; round += 1) {
      const rate = await countCalls(decode, settings.seconds * 1000)
      progress(`decoding: ${format(rate)}/s`)
      if (round > 0) rates.push(rate)
    }
    return {
      name: 'codec, each frame in a fresh context',
      ours: `${format(median(rates))}/s`,
      baseline: `${format(askedFor)}/s (asked for)`,
      ratios: rates.map((rate) => rate / askedFor),
      target: { word: 'at least', value: 1 },
      notes: 'one organization, so that one thread is left for the others',
    }
  } finally {
    await pool.close()
  }
}

/** Codecs that take turns in one thread, as for devices of many types, against a single codec. */
async function measureCache({ settings, progress }: Bench): Promise<Figure> {
  const sandbox = await createSandbox(defaultPoolLimits.codec)
  const input = JSON.stringify({ bytes: [...payload(7)], fPort: 1, variables: {} })
  const measure = (sources: readonly string[]) => {
    const call = (index: number) => {
      const source = sources[index % sources.length] ?? ''
      const outcome = sandbox.call({ source, name: 'decodeUplink', input })
      if (!outcome.ok) throw new Error(outcome.message)
    }
    for (const index of sources.keys()) call(index)
    const begin = performance.now()
    let count = 0
    for (; performance.now() - begin < settings.seconds * 1000; count += 1) call(count)
    return (count / (performance.now() - begin)) * 1000
  }
  const sources = Array.from({ length: cachedCodecs }, (_, index) => lengthen(index))
  const rounds = Array.from({ length: settings.rounds }, () => {
    const rates = { one: measure(sources.slice(0, 1)), many: measure(sources) }
    progress(`${cachedCodecs} codecs: ${format(rates.many)}/s, one: ${format(rates.one)}/s`)
    return rates
  })
  return {
    name: `${cachedCodecs} codecs of 15 kB in turns, in one thread`,
    ours: `${format(median(rounds.map(({ many }) => many)))}/s`,
    baseline: `${format(median(rounds.map(({ one }) => one)))}/s (one codec)`,
    ratios: rounds.map(({ one, many }) => many / one),
    target: { word: 'at least', value: 0.5 },
    notes: 'each frame in a fresh context, and all codecs in the cache',
  }
}

/** The codec, different by its number and as long as many published ones. */
function lengthen(number: number): string {
  const helpers = Array.from({ length: 70 }, (_, at) =>
    codec.slice(0, codec.indexOf('var events')).replace('readTenths', `readTenths${number}of${at}`),
  )
  return [...helpers, codec].join('\n')
}

async function countCalls(
  call: () => Promise<CodecOutcome>,
  milliseconds: number,
): Promise<number> {
  const begin = performance.now()
  let count = 0
  const repeat = async () => {
    while (performance.now() - begin < milliseconds) {
      const outcome = await call()
      if (!outcome.ok) throw new Error(outcome.message)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
  return (count / (performance.now() - begin)) * 1000
}

/** The same frames, of devices with a codec and of devices with a built-in type. */
async function measureIngest(bench: Bench): Promise<Result> {
  const { db, service, generator, settings, progress } = bench
  const { path, headers } = await connectNetwork(service)
  await registerDevices(db, devices * 2)
  const { data } = await service.call<{ data: { id: number } }>('POST', '/v1/device-types', {
    type_name: 'Bench',
    payload_format: 'ts013',
    codec,
  })
  await db.query(
    `update devices set type_id = $1 where id in (
       select id from devices where organization_id = 1 order by id offset $2 limit $2
     )`,
    [data.id, devices],
  )
  const load: Load = {
    ...{ target: service.target, method: 'POST', path, headers, connections },
    ...{ seconds: settings.seconds, uplinksOf: devices },
  }
  const sides = {
    baseline: { name: 'built in', process: service, load },
    ours: { name: 'codec', process: service, load: { ...load, firstDevice: devices } },
  }
  const comparison = await takeTurns(generator, sides, settings.rounds, progress)
  const figure = ratesFigure('durable ingest with a codec', 'built in', comparison)
  return {
    figures: [{ ...figure, target: { word: 'at least', value: 0.5 } }],
    proofs: [await proveDecoded(bench, data.id, comparison.acknowledged)],
  }
}

async function proveDecoded({ db }: Bench, type: number, acknowledged: number): Promise<Proof> {
  const [counts] = await db.query<{ stored: number; decoded: number }>(
    `select count(*) as stored,
       count(*) filter (where uplinks.event_type = 'DECODED') as decoded
     from uplinks join devices on devices.id = uplinks.device_id
     where devices.type_id = $1`,
    [type],
  )
  const { stored = 0, decoded = 0 } = counts ?? {}
  return {
    claim: 'every acknowledged uplink of a device with a codec is stored as its codec read it',
    isTrue: stored === acknowledged && decoded === acknowledged,
    details: `acknowledged ${acknowledged}, stored ${stored}, decoded ${decoded}`,
  }
}
