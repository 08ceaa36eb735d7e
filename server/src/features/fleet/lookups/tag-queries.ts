import type { Queryable } from '../../../db/connect.ts'

/** A tag, and how many devices and gateways have it. */
export interface UsedTag {
  key: string
  value: string
  devices: number
  gateways: number
}

/** The tags that most have. It reads the tags of all devices and gateways. */
export function listUsedTags(
  db: Queryable,
  organizationId: number,
  most: number,
): Promise<UsedTag[]> {
  return db.query<UsedTag>(
    `select tag.key, tag.value, sum(used.devices)::bigint as devices,
       sum(used.gateways)::bigint as gateways
     from (
       select tags, 1 as devices, 0 as gateways from devices
       where organization_id = $1 and deleted_at is null and tags <> '{}'
       union all
       select tags, 0, 1 from gateways
       where organization_id = $1 and deleted_at is null and tags <> '{}'
     ) as used
     cross join lateral jsonb_each_text(used.tags) as tag
     group by tag.key, tag.value
     order by count(*) desc, tag.key, tag.value
     limit $2`,
    [organizationId, most],
  )
}
