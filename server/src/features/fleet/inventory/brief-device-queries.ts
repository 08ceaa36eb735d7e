import type { Queryable } from '../../../db/connect.ts'
import { numberArray, textArray } from '../../../db/statements.ts'
import { doTogether } from '../../../db/together.ts'
import { latestUplink } from '../../../uplinks/rows/by-ordinal.ts'
import type { Reference } from './references.ts'

/** What most changes of a device need to know of it. */
export interface BriefDevice {
  id: number
  /** In its normal form. */
  eui: string
  name: string
  type_id: number
  is_console_only: boolean
  /** Key of its network. */
  network: string
  /** The LoRaWAN port of its latest uplink. */
  latest_port: number | null
}

/** A device that a request names. */
export interface NamedDevice {
  organizationId: number
  reference: Reference
}

/** Finds devices that requests name. Combines the calls of one organization. */
export function findDevicesTogether(
  db: Queryable,
): (named: NamedDevice) => Promise<BriefDevice | undefined> {
  return doTogether(
    (named) =>
      findAll(
        db,
        named[0]?.organizationId ?? 0,
        named.map(({ reference }) => reference),
      ),
    ({ organizationId }) => organizationId,
  )
}

/** The device of each reference; undefined where there is none. */
async function findAll(
  db: Queryable,
  organizationId: number,
  references: readonly Reference[],
): Promise<(BriefDevice | undefined)[]> {
  // Two look-ups, each in an index. A condition with `case` or `or` would read all devices.
  const rows = await db.query<BriefDevice & { place: number }>(
    `select asked.place, found.*, (
         select latest.f_port
         from device_states as states
         cross join lateral ${latestUplink('uplinks.f_port')} as latest
         where states.organization_id = $1 and states.device_id = found.id
       ) as latest_port
     from unnest($2::bigint[], $3::text[]) with ordinality as asked (id, eui, place)
     cross join lateral (
       select ${columns} from devices
       where organization_id = $1 and eui = asked.eui and deleted_at is null
       union all
       select ${columns} from devices
       where organization_id = $1 and id = asked.id and deleted_at is null
       limit 1
     ) as found`,
    [
      organizationId,
      numberArray(references.map(({ id }) => id ?? undefined)),
      textArray(references.map(({ eui }) => eui)),
    ],
  )
  const found = new Map(rows.map(({ place, ...device }) => [place, device]))
  return references.map((_, index) => found.get(index + 1))
}

const columns = 'id, eui, name, type_id, is_console_only, network'
