import type { Queryable } from '../../../db/connect.ts'
import { isoTimeOf, type Moment } from '../../../http/timestamps.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import { stampOfDevice, withFirstStep } from '../../accounts/provisioning/move-queries.ts'

export const moveStates = [
  'preparing',
  'waiting',
  'completing',
  'putting_back',
  'done',
  'expired',
  'cancelled',
  'failed',
] as const
export type MoveState = (typeof moveStates)[number]

/** A step of a move, as it is stored and shown. */
export interface MoveStep {
  state: MoveState
  at: string
  message: string | null
}

export interface StoredMove {
  id: number
  device_id: number
  device_eui: string
  device_name: string
  from_network: string
  from_method: RegisterMethod
  to_network: string
  to_method: RegisterMethod
  state: MoveState
  message: string | null
  steps: MoveStep[]
  user_id: number
  user_name: string
  created_at: Moment
  expires_at: Moment
  heard_at: Moment | null
  finished_at: Moment | null
}

const columns = `moves.id, moves.device_id, devices.device_eui, devices.name as device_name,
  moves.from_network, moves.from_method, moves.to_network, moves.to_method, moves.state,
  moves.message, moves.steps, users.id as user_id,
  trim(concat_ws(' ', users.first_name, users.last_name)) as user_name, moves.created_at,
  moves.expires_at, moves.heard_at, moves.finished_at`
const source = `device_moves as moves
  join devices on devices.organization_id = moves.organization_id and devices.id = moves.device_id
  join users on users.id = moves.user_id`

export async function findMove(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredMove | undefined> {
  const moves = await db.query<StoredMove>(
    `select ${columns} from ${source} where moves.organization_id = $1 and moves.id = $2`,
    [organizationId, id],
  )
  return moves[0]
}

export interface MoveFilter {
  /** In its normal form. */
  eui: string | undefined
  state: MoveState | undefined
  isOpen: boolean
  network: string | undefined
}

const filtered = `moves.organization_id = $1
  and ($2::text is null or devices.eui = $2) and ($3::text is null or moves.state = $3)
  and (not $4::boolean or moves.finished_at is null)
  and ($5::text is null or $5 in (moves.from_network, moves.to_network))`

/** Lists moves, newest first. */
export function listMoves(
  db: Queryable,
  organizationId: number,
  { eui, state, isOpen, network }: MoveFilter,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<StoredMove[]> {
  return db.query<StoredMove>(
    `select ${columns} from ${source}
     where ${filtered} and ($6::bigint is null or moves.id < $6)
     order by moves.id desc
     limit $7`,
    [organizationId, eui ?? null, state ?? null, isOpen, network ?? null, before ?? null, limit],
  )
}

/** A device as a move finds it, locked. */
export interface MovingDevice {
  id: number
  eui: string
  name: string
  network: string
  register_method: RegisterMethod
  register_status: string
  app_region: string | null
  has_key: boolean
  /** It is not of LoRaWAN 1.0.x and class A with a join. */
  has_radio: boolean
  is_moving: boolean
}

export async function lockMovingDevice(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<MovingDevice | undefined> {
  const devices = await tx.query<MovingDevice>(
    `select id, eui, name, network, register_method, register_status, app_region,
       sealed_key is not null as has_key, radio is not null as has_radio, other_network is not null as is_moving
     from devices
     where organization_id = $1 and id = $2 and deleted_at is null
     for update`,
    [organizationId, id],
  )
  return devices[0]
}

export interface NewMove {
  userId: number
  toNetwork: string
  toMethod: RegisterMethod
  gatewayId: number | null
  appRegion: string | null
  frequencyPlan: string | null
  /** Undefined where the device keeps the stored one. */
  sealedKey: Buffer | null
  now: Date
  expiresAt: Date
}

/**
 * Writes the move of a locked device that does not move yet, and marks the device: from now on
 * messages of both networks are its own. Returns the id.
 */
export async function insertMove(
  tx: Queryable,
  organizationId: number,
  device: MovingDevice,
  move: NewMove,
): Promise<number> {
  const [marked] = await tx.query<{ stamp: string }>(
    `update devices set other_network = $3, other_method = $4
     where organization_id = $1 and id = $2
     returning ${stampOfDevice} as stamp`,
    [organizationId, device.id, move.toNetwork, move.toMethod],
  )
  const rows = await tx.query<{ id: number }>(
    `insert into device_moves (
       organization_id, device_id, user_id, from_network, from_method, to_network, to_method,
       gateway_id, app_region, frequency_plan, stamp, state, steps, created_at, expires_at, due_at,
       sealed_key
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'preparing', ${withFirstStep('$12')},
       $13, $14, $14, $15)
     returning id`,
    [
      organizationId,
      device.id,
      move.userId,
      device.network,
      device.register_method,
      move.toNetwork,
      move.toMethod,
      move.gatewayId,
      move.appRegion,
      move.frequencyPlan,
      marked?.stamp ?? '',
      isoTimeOf(move.now),
      move.now,
      move.expiresAt,
      move.sealedKey,
    ],
  )
  return rows[0]?.id ?? 0
}
