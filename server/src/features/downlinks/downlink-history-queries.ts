import type { Queryable } from '../../db/connect.ts'
import type { SectionName } from '../../sensors/settings/section.ts'

/** In units, by the id of the field; or what a codec was given, as JSON, and what it warned of. */
export type FieldValues =
  | Record<string, number>
  | { codec_data: string; codec_warnings: readonly string[] }

export interface NewDownlink {
  deviceId: number
  userId: number
  section: SectionName
  fieldValues: FieldValues
  payload: Uint8Array
  fPort: number
}

/**
 * Inserts downlinks with their history, in their order; gives the id of each, and undefined where
 * so many wait for its device already.
 */
export async function insertAll(
  tx: Queryable,
  organizationId: number,
  downlinks: readonly NewDownlink[],
  mostWaiting: number,
): Promise<(number | undefined)[]> {
  const given = downlinks.map(({ fieldValues, payload, ...downlink }) => ({
    device_id: downlink.deviceId,
    user_id: downlink.userId,
    section: downlink.section,
    field_values: fieldValues,
    payload: Buffer.from(payload).toString('hex'),
    f_port: downlink.fPort,
  }))
  const rows = await tx.query<{ place: number; id: number }>(
    `with given as materialized (
       select *, row_number() over (partition by device_id order by place) as nth
       from rows from (
         json_to_recordset($2) as (
           device_id bigint, user_id bigint, section text, field_values jsonb, payload text,
           f_port integer
         )
       ) with ordinality as given (
         device_id, user_id, section, field_values, payload, f_port, place
       )
     ), fitting as materialized (
       select nextval(pg_get_serial_sequence('downlinks', 'id')) as id, given.*
       from (
         select * from given
         where nth <= $3 - (
           select count(*) from downlinks
           where organization_id = $1 and device_id = given.device_id
             and state in ('queued', 'handed_over')
         )
         order by place
       ) as given
     ), created as (
       insert into downlinks
         (organization_id, id, device_id, user_id, section, field_values, payload, f_port)
       overriding system value
       select $1, id, device_id, user_id, section, field_values, decode(payload, 'hex'), f_port
       from fitting
       returning organization_id, device_id, id
     ), noted as (
       insert into downlink_history (organization_id, device_id, downlink_id, event_name)
       select organization_id, device_id, id, 'event_created' from created order by id
     )
     select place, id from fitting`,
    [organizationId, JSON.stringify(given), mostWaiting],
  )
  const ids = new Map(rows.map(({ place, id }) => [place, id]))
  return downlinks.map((_, index) => ids.get(index + 1))
}
