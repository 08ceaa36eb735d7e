import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { createSealer } from '../server/src/db/seal.ts'
import { sealContext } from '../server/src/db/secret-keys.ts'
import { readItem } from '../server/src/features/fleet/devices/batch-items.ts'
import { listPage } from '../server/src/features/fleet/devices/device-list-queries.ts'
import { insertAll } from '../server/src/features/fleet/devices/device-write-queries.ts'
import * as groupQueries from '../server/src/features/fleet/groups/group-queries.ts'
import {
  type GroupedDevice,
  readDevices,
} from '../server/src/features/fleet/groups/grouped-device-queries.ts'
import * as gatewayQueries from '../server/src/features/fleet/inventory/gateway-queries.ts'
import { listOrganizationsOf } from '../server/src/features/people/organizations/organization-queries.ts'
import {
  clearFailures,
  findBlock,
} from '../server/src/features/people/sessions/login-limit-queries.ts'
import { insertSession } from '../server/src/features/people/sessions/session-queries.ts'
import { findTwoFactorState } from '../server/src/features/people/two-factor/two-factor-queries.ts'
import { findCredentials } from '../server/src/features/people/users/user-queries.ts'
import { momentOf } from '../server/src/http/timestamps.ts'
import { openBareDatabase } from './bare-database.ts'

/*
 * The baselines of lists, tree, batch and login: the statements of each endpoint, and work that
 * cannot be left out (reading a batch, hashing a password), run directly. No session, no checks, no
 * records. The organization is the first part of the path.
 */

interface Of {
  Params: { organization: string }
}

const db = openBareDatabase(process.env.DATABASE_URL ?? '')
const app = Fastify()

const page = { number: 1, size: 10, perPage: 10 }

app.get<Of & { Querystring: { search?: string } }>('/:organization/devices', (request) => {
  const { search = '' } = request.query
  const filter = { search, sortOrder: 'asc', groupId: undefined, tag: undefined } as const
  return listPage(db, Number(request.params.organization), filter, page)
})
app.get<Of>('/:organization/gateways', ({ params }) => {
  const filter = { search: '', gatewayEui: '', sortOrder: 'asc' } as const
  return gatewayQueries.list(db, Number(params.organization), filter, page)
})

/** The unchanged rows, with sealed keys as base64: JSON would make lists of numbers of them. */
app.get<Of>('/:organization/device-groups', async ({ params }) => {
  const { groups, devices } = await readTree(Number(params.organization))
  const toText = (device: GroupedDevice) => device.sealed_key?.toString('base64')
  return { groups, devices: devices.map((one) => ({ ...one, sealed_key: toText(one) })) }
})

app.get<Of>('/:organization/device-groups/count', async ({ params }) => {
  const { groups, devices } = await readTree(Number(params.organization))
  return { groups: groups.length, devices: devices.length }
})

async function readTree(organizationId: number) {
  const groups = await groupQueries.listCounted(db, organizationId)
  const devices: GroupedDevice[] = []
  for await (const portion of readDevices(db, organizationId, new Date(), groups)) {
    devices.push(...portion)
  }
  return { groups, devices }
}

const sealer = createSealer(randomBytes(32))
/** Far above the ids that the database assigns. */
let lastId = 1_000_000_000_000

/** Reads and checks the items, seals the keys, and inserts all rows by one statement. */
app.post<Of & { Body: { devices: unknown[] } }>(
  '/:organization/batch',
  async ({ params, body }) => {
    const devices = body.devices.flatMap((sent) => {
      const item = readItem(sent, { gateways: new Map(), models: new Map() })
      if (item.action !== 'create') return []
      const { deviceKey = '', network, ...registration } = item.registration
      lastId += 1
      const sealedKey = sealer.seal(deviceKey, sealContext('deviceKey', lastId))
      const own = {
        id: lastId,
        network: network.key,
        registerStatus: 'pending',
        sealedKey,
      } as const
      return { ...registration, ...own }
    })
    const origin = { userId: 1, now: new Date() }
    return { inserted: await insertAll(db, Number(params.organization), devices, origin) }
  },
)

const derive = promisify(argon2)
/** The same as in server/src/features/people/users/passwords.ts. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 }
const subjects = ['account', 'address']

/** The cost of a correct password: one hash, and the statements around it one after the other. */
app.post<{ Body: { email: string; password: string } }>('/login', async ({ body }) => {
  const now = momentOf(new Date())
  await findBlock(db, subjects, now)
  const user = await findCredentials(db, body.email)
  const [salt = '', tag = ''] = user?.password_hash.split('$').slice(-2) ?? []
  const nonce = Buffer.from(salt, 'base64')
  const derived = await derive('argon2id', { ...cost, message: body.password, nonce })
  if (!user || !timingSafeEqual(derived, Buffer.from(tag, 'base64'))) throw new Error('no login')
  await findTwoFactorState(db, user.id)
  await findBlock(db, subjects, now)
  await clearFailures(db, 'account', now)
  const tokenHash = randomBytes(32)
  const session = { tokenHash, createdAt: now, expiresAt: now, refreshableUntil: now }
  await insertSession(db, user, session, { clientIp: '127.0.0.1', userAgent: undefined })
  return listOrganizationsOf(db, user.id)
})

app.get('/ready', () => 'ready')
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
process.channel?.ref()
