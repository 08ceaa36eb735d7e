import { setTimeout as sleep } from 'node:timers/promises'
import { makeUp } from '../server/test/chirpstack-uplinks.ts'
import { registrationOf } from '../server/test/fleet.ts'
import { toStack } from '../server/test/moves.ts'
import type { Entry } from './history.ts'
import { type Operation, planSteps, type Step } from './plan.ts'
import { prefixOf, type Recorder, type Request } from './requests.ts'
import type { Member, World } from './world.ts'

/** A device of a client, which no other client changes. */
interface Device {
  eui: string
  /** Devices that move get no downlinks, and those that get downlinks do not move. */
  moves: boolean
  isMoved: boolean
}

interface Client {
  name: string
  member: Member
  number: number
  devices: Device[]
  /** DevEUIs so far. */
  made: number
  downlinks: { eui: string; id: number; bytes: string }[]
  uplinks: { eui: string; body: object }[]
  /** Groups, webhooks and alert rules of this client, by kind. */
  kept: Record<Kept, number[]>
  changes: number
}

type Kept = 'group' | 'webhook' | 'alert'

interface Context {
  world: World
  recorder: Recorder
  client: Client
  step: Step
  process: number
  hearing: Hearing
}

/** Moved devices that still send uplinks. */
interface Hearing {
  isOver: boolean
  all: Promise<void>[]
}

const clientsOfTenant = 4
/** A network sends an uplink again for so long. */
const patience = 90_000
const mostDevices = 12
const mostKept: Record<Kept, number> = { group: 4, webhook: 2, alert: 2 }

/**
 * Starts the clients of all organizations. `stop` resolves when the last request has ended; moved devices
 * send on until `silence`.
 */
export function startClients(world: World, recorder: Recorder, seed: number) {
  let isOver = false
  const hearing: Hearing = { isOver: false, all: [] }
  const run = async (member: Member, number: number) => {
    const client = makeClient(member, number)
    for (const step of planSteps(seed, member.organizationId * 100 + number)) {
      await sleep(step.pause)
      if (isOver) return
      const process = Math.floor(step.process * world.processes.length)
      await perform[step.operation]({ world, recorder, client, step, process, hearing })
    }
  }
  const running = Promise.all(
    world.members.flatMap((member) =>
      Array.from({ length: clientsOfTenant }, (_, number) => run(member, number)),
    ),
  )
  running.catch(() => undefined)
  return {
    async stop() {
      isOver = true
      await running
    },
    /** Resolves when no moved device sends any more. */
    async silence() {
      hearing.isOver = true
      await Promise.all(hearing.all)
    },
  }
}

function makeClient(member: Member, number: number): Client {
  return {
    name: `client ${member.organizationId}.${number}`,
    ...{ member, number, devices: [], made: 0, downlinks: [], uplinks: [], changes: 0 },
    kept: { group: [], webhook: [], alert: [] },
  }
}

const perform: Record<Operation, (context: Context) => Promise<unknown>> = {
  register,
  move,
  uplink,
  repeat,
  downlink,
  cancel,
  delete: remove,
  read,
  foreign,
  group: (context) => change(context, 'group'),
  webhook: (context) => change(context, 'webhook'),
  alert: (context) => change(context, 'alert'),
}

function ask(
  { recorder, client, step, process }: Context,
  request: Partial<Request> & Pick<Request, 'path' | 'subject'>,
) {
  const { name, member } = client
  return recorder.send({
    ...{ client: name, member, operation: step.operation, process, ...request },
  })
}

function pick<Item>(items: readonly Item[], { subject }: Step): Item | undefined {
  return items[Math.floor(subject * items.length)]
}

async function register(context: Context): Promise<void> {
  const { client } = context
  if (client.devices.length >= mostDevices) return
  const number = client.made++
  const eui = `${prefixOf(client.member)}${client.number}${String(number).padStart(9, '0')}`
  const body = { ...registrationOf(eui), deviceName: `Device ${eui}` }
  const { entry } = await ask(context, {
    ...{ method: 'POST', path: '/v1/devices', body, subject: eui, value: 'there' },
  })
  if (entry.outcome === 'done') {
    client.devices.push({ eui, moves: number % 3 === 2, isMoved: false })
  }
}

async function remove(context: Context): Promise<void> {
  const { client, step } = context
  if (client.devices.length < 4) return
  const device = pick(client.devices, step)
  if (!device) return
  client.devices = client.devices.filter((each) => each !== device)
  client.downlinks = client.downlinks.filter(({ eui }) => eui !== device.eui)
  client.uplinks = client.uplinks.filter(({ eui }) => eui !== device.eui)
  const { eui } = device
  await ask(context, {
    ...{ method: 'DELETE', path: `/v1/devices/${eui}`, subject: eui, value: null },
  })
}

/** To The Things Stack, where it is heard a moment later. */
async function move(context: Context): Promise<void> {
  const { client, step } = context
  const device = pick(
    client.devices.filter(({ moves, isMoved }) => moves && !isMoved),
    step,
  )
  if (!device) return
  const { eui } = device
  device.isMoved = true
  client.uplinks = client.uplinks.filter((each) => each.eui !== eui)
  await ask(context, {
    ...{ method: 'POST', path: `/v1/devices/${eui}/move`, body: toStack },
    ...{ subject: eui, value: 'thethingsnetwork' },
  })
  // It joins when it does, whatever becomes of the request.
  context.hearing.all.push(hearAtStack(context, eui))
}

/** Uplinks that it sends at least: the service may be away for the first ones. */
const leastSent = 10

/** Until it is at no other network, which may be long after the last fault. */
async function hearAtStack(
  { world, client: { member }, hearing }: Context,
  eui: string,
): Promise<void> {
  const stack = world.networks.find(
    ({ organization, key }) => organization === member.organizationId && key === 'thethingsnetwork',
  )?.simulator
  for (let sent = 0; sent < leastSent || member.chirpstack.findDevice(eui); ) {
    await sleep(3_000, undefined, { ref: false })
    if (hearing.isOver) return
    if (stack?.findDevice(eui)) sent += 1
    await stack?.sendUplink(eui).catch(() => undefined)
  }
}

async function uplink(context: Context): Promise<void> {
  const { client, step } = context
  const device = pick(
    client.devices.filter(({ isMoved }) => !isMoved),
    step,
  )
  if (!device) return
  const body = makeUp({ eui: device.eui, hex: '110300', time: new Date().toISOString() })
  if (client.member.publish && step.process < 0.3) return publish(context, device.eui, body)
  client.uplinks.push({ eui: device.eui, body })
  if (client.uplinks.length > 20) client.uplinks.shift()
  await sendUplink(context, device.eui, body)
}

/** The broker keeps it, so it is as good as acknowledged. */
async function publish(
  { recorder, client }: Context,
  eui: string,
  body: { deduplicationId: string },
): Promise<void> {
  const { member, name } = client
  const begin = recorder.now()
  await member.publish?.(body)
  recorder.entries.push({
    ...{ client: name, organization: member.organizationId, operation: 'publish', process: -1 },
    ...{ subject: eui, value: body.deduplicationId, begin, end: recorder.now() },
    ...{ outcome: 'done', status: 0 },
  })
}

async function repeat(context: Context): Promise<void> {
  const again = pick(context.client.uplinks, context.step)
  if (again) await sendUplink(context, again.eui, again.body)
}

/** As a network does it: again, at the next process, until it is taken. */
async function sendUplink(context: Context, eui: string, body: object): Promise<void> {
  const { world, client } = context
  const deadline = context.recorder.now() + patience
  for (let process = context.process; ; process = (process + 1) % world.processes.length) {
    const entry = await postUplink({ ...context, process }, client, eui, body)
    if (entry.outcome !== 'unknown' || context.recorder.now() > deadline) return
    await sleep(250)
  }
}

type Poster = Pick<Context, 'recorder' | 'process'>

/** One post to the callback of the organization's ChirpStack. */
export async function postUplink(
  { recorder, process }: Poster,
  { name, member }: Pick<Client, 'name' | 'member'>,
  eui: string,
  body: object,
): Promise<Entry> {
  const { url, header, value } = member.callback
  const key = (body as { deduplicationId: string }).deduplicationId
  const { entry } = await recorder.send({
    ...{ client: name, member, operation: 'uplink', subject: eui, value: key, process },
    ...{ method: 'POST', path: `${new URL(url).pathname}?event=up`, body },
    headers: { [header]: value },
  })
  return entry
}

/** Bytes that no other downlink has. */
async function downlink(context: Context): Promise<void> {
  const { client, step } = context
  const device = pick(
    client.devices.filter(({ moves }) => !moves),
    step,
  )
  if (!device) return
  client.changes += 1
  const { eui } = device
  const { organizationId } = client.member
  const number = (organizationId * 10 + client.number) * 100_000 + client.changes
  const bytes = number.toString(16).padStart(8, '0')
  const { entry, body } = await ask(context, {
    ...{ method: 'POST', path: `/v1/devices/${eui}/downlink`, subject: eui, value: bytes },
    body: { f_port: 10, payload: bytes },
  })
  if (entry.outcome === 'done') client.downlinks.push({ eui, bytes, id: body.data.id })
}

async function cancel(context: Context): Promise<void> {
  const { client, step } = context
  const chosen = pick(client.downlinks, step)
  if (!chosen) return
  client.downlinks = client.downlinks.filter((each) => each !== chosen)
  const { eui, id, bytes } = chosen
  const { entry, body } = await ask(context, {
    ...{ method: 'DELETE', path: `/v1/devices/${eui}/downlinks/${id}` },
    ...{ subject: eui, value: bytes },
  })
  // What is answered, without being taken back, is as if it was refused.
  if (entry.outcome === 'done' && body.data.outcome !== 'cancelled') entry.outcome = 'refused'
}

const paths: Record<Kept, string> = {
  group: '/v1/device-groups',
  webhook: '/v1/webhooks',
  alert: '/v1/alert-rules',
}

/** Makes one of these, or gives it another name. */
async function change(context: Context, kind: Kept): Promise<void> {
  const { client, step } = context
  client.changes += 1
  const name = `${prefixOf(client.member)} ${kind} ${client.number}.${client.changes}`
  const own = client.kept[kind]
  const id = own.length < mostKept[kind] ? undefined : pick(own, step)
  const named = kind === 'group' ? { groupName: name } : { name }
  if (id !== undefined) {
    await ask(context, {
      ...{ method: 'PATCH', path: `${paths[kind]}/${id}`, body: named },
      ...{ subject: `${kind} ${id}`, value: name },
    })
    return
  }
  const more = {
    group: {},
    webhook: { url: `${client.member.receiver.url}/${client.number}`, events: ['alert'] },
    alert: { kind: 'tamper' },
  }
  const { entry, body } = await ask(context, {
    ...{ method: 'POST', path: paths[kind], body: { ...named, ...more[kind] } },
    ...{ subject: name, value: name },
  })
  if (entry.outcome !== 'done') return
  own.push(body.data.id)
  entry.subject = `${kind} ${body.data.id}`
}

async function read(context: Context): Promise<void> {
  const { client, step } = context
  const subjects = subjectsOf(client)
  const chosen = pick(subjects, step)
  if (chosen) await readSubject(context, client, chosen)
}

function subjectsOf({ devices, kept }: Client): string[] {
  const kinds = Object.keys(kept) as Kept[]
  return [
    ...devices.flatMap(({ eui }) => [eui, `uplinks ${eui}`]),
    ...kinds.flatMap((kind) => kept[kind].map((id) => `${kind} ${id}`)),
  ]
}

/** Reads something by its name in the history, and enters what is there. */
export async function readSubject(
  { recorder, process }: Poster,
  { name, member }: Pick<Client, 'name' | 'member'>,
  subject: string,
): Promise<Entry> {
  const [word = '', id] = subject.split(' ')
  const path = id === undefined ? `/v1/devices/${word}` : pathOf(word, id)
  const request = { client: name, member, operation: 'read', subject, process, path } as const
  const { entry, body } = await recorder.send(request)
  if (entry.status === 404) {
    Object.assign(entry, { outcome: 'done', value: null } satisfies Partial<Entry>)
  } else if (entry.outcome === 'done') {
    entry.value = valueIn(word, id, body)
  }
  return entry
}

function pathOf(word: string, id: string): string {
  if (word === 'uplinks') return `/v1/devices/${id}/uplink?itemsPerPage=1`
  return `${paths[word as Kept]}/${id}`
}

// biome-ignore lint/suspicious/noExplicitAny: as in answers
function valueIn(word: string, id: string | undefined, body: any): string | number | null {
  if (id === undefined) return 'there'
  if (word === 'uplinks') return body.meta.total
  if (word === 'group') return body.data[0]?.groupName ?? null
  return body.data.name
}

/** What belongs to another organization: by its id, and in its name. */
async function foreign(context: Context): Promise<void> {
  const { client, step, world } = context
  const { member } = client
  const other = world.members.find((each) => each !== member)
  if (!other) return
  const eui = `${prefixOf(other)}${client.number}000000000`
  const isInItsName = step.subject < 0.5
  const organization = String(other.organizationId)
  await ask(context, {
    path: isInItsName ? '/v1/devices?itemsPerPage=10' : `/v1/devices/${eui}`,
    subject: isInItsName ? `organization ${organization}` : eui,
    ...(isInItsName ? { headers: { ...member.headers, organization } } : {}),
  })
}
