import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'

/**
 * SQL: whether a device is one that the rule `$2` of the organization `$1` is about. `rule` is the
 * row of the rule. The groups are read once, whatever the number of devices.
 */
export const isInScope = `devices.deleted_at is null and devices.is_active
  and (rule.device_id is null or devices.id = rule.device_id)
  and (rule.type_id is null or devices.type_id = rule.type_id)
  and (rule.network is null or devices.network = rule.network)
  and (rule.tag is null or ${havingTag('devices.tags', 'rule.tag')})
  and (rule.group_id is null or devices.id in (
    select grouped.device_id from grouped_devices as grouped
    where grouped.organization_id = $1 and grouped.group_id in (
      with recursive ${groupsBelow(
        '$1',
        `(
        select asked.group_id from alert_rules as asked
        where asked.organization_id = $1 and asked.id = $2
      )`,
      )}
      select below.id from below
    )
  ))`

/** SQL: the same of a gateway. */
export const isGatewayInScope = `gateways.deleted_at is null
  and (rule.network is null or gateways.network = rule.network)
  and (rule.tag is null or ${havingTag('gateways.tags', 'rule.tag')})`

/**
 * SQL: a rule has no open alert about the device or the gateway yet. The list is made once and hashed.
 * As `not exists` it was a join whose plan took as many steps as the square of the alerts, right after
 * an outage, when the statistics knew of none yet.
 */
export const hasNoAlert = (column: 'device_id' | 'gateway_id', id: string) => `${id} not in (
    select known.${column} from alerts as known
    where known.organization_id = $1 and known.rule_id = $2 and known.${column} is not null
      and known.state <> 'closed'
  )`

/** Alerts that one transaction opens for a rule. Then the next one follows at once. */
export const mostOpened = 2_000

/**
 * SQL: an alert whose cause lasts, whether or not a member has closed it. The two comparisons let the indexes
 * of what is not closed serve it.
 */
export const lasts = `alerts.state <> 'closed' and alerts.state <> 'pending'`
