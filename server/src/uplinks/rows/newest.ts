/**
 * SQL: a part `read` of a `with`, the newest uplinks of the organization `$1`, at most `$2` of them,
 * with these columns of `uplinks`. It is one range of the primary key, however large the fleet is:
 * the statement lists the ordinals, as `allUplinksQuery` does.
 */
export function readNewest(columns: string): string {
  return `read as materialized (
    select ${columns}
    from organization_counters as counter
    cross join lateral (
      select array(
        select generate_series(
          greatest(counter.uplink_count - $2::bigint + 1, counter.first_ordinal),
          counter.uplink_count
        )
      ) as ordinals
      offset 0
    ) as page
    join uplinks on uplinks.organization_id = counter.organization_id
      and uplinks.ordinal = any(page.ordinals)
    where counter.organization_id = $1
  )`
}
