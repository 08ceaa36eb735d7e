/**
 * SQL: a part `below` of a `with recursive`, with the ids of a group and of all groups below it. Takes
 * the places of the organization and of the group, such as `$1`.
 */
export function groupsBelow(organization: string, group: string): string {
  return `below as (
      select device_groups.id from device_groups
      where device_groups.organization_id = ${organization} and device_groups.id = ${group}
      union
      select child.id from below
      join device_groups as child
        on child.organization_id = ${organization} and child.parent_id = below.id
    )`
}
