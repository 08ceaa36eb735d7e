import { hasWarning } from './coarse-states.ts'
import { type VerdictState, verdictStates } from './verdict.ts'

/**
 * The one judgement of devices. A device is silent when it was not heard for longer than three of its
 * own usual intervals, at least an hour (`device_rhythms.silent_seconds`), or, where these are not known,
 * for longer than the organization's window (`findVerdictWindow`). One that was never heard is silent
 * after its time to begin. It is decided when it is read, so it is never late.
 */

/** Hours in which what is new has to be heard. */
export const beginningHours = 48

/** SQL: the rhythms of `states`. */
export const ofRhythms = `left join device_rhythms as rhythms
    on rhythms.organization_id = states.organization_id and rhythms.device_id = states.device_id`

const isSilent = (now: string, window: string) => `coalesce(
    states.last_seen + make_interval(
      secs => coalesce(rhythms.silent_seconds, ${window}::integer * 3600)
    ),
    devices.created_at + interval '${beginningHours} hours'
  ) < ${now}::timestamptz`

/** What the verdict judges by itself, whether a rule looks for it or not. */
const judgedKinds = "('device_silent', 'registration_error', 'tamper')"

/** SQL: the open alerts about what devices send, with their rules. One that only informs is none. */
const openAlerts = (organization: string) => `alerts
    join alert_rules as rules on rules.organization_id = ${organization} and rules.id = alerts.rule_id
    where alerts.organization_id = ${organization} and alerts.state = 'open'
      and alerts.device_id is not null and alerts.kind not in ${judgedKinds}
      and rules.severity <> 'info'`

/** SQL: devices with such an alert: a list that is made once, of an index of open alerts. */
const alertedDevices = (organization: string) =>
  `select alerts.device_id from ${openAlerts(organization)}`

/** SQL: the worst of them about `devices`, an `OpenAlert`, a battery last; null where there is none. */
export const openAlertOf = (organization: string) => `(
    select json_build_object('name', rules.name, 'kind', alerts.kind, 'severity', rules.severity,
      'since', alerts.began_at::text, 'count', count(*) over ())
    from ${openAlerts(organization)} and alerts.device_id = devices.id
    order by alerts.kind = 'low_battery', rules.severity = 'critical' desc, alerts.began_at, alerts.id
    limit 1
  )`

/**
 * SQL: the verdict of `devices`, with `states` and `rhythms`; one of `verdictStates`. The window is in
 * hours.
 */
export const verdictAt = (organization: string, now: string, window: string) => `case
    when not devices.is_active then 'inactive'
    when ${isSilent(now, window)} then 'silent'
    when devices.register_status = 'register_error' or ${hasWarning}
      or devices.id in (${alertedDevices(organization)}) then 'attention'
    when states.last_seen is null then 'new'
    else 'ok'
  end`

/**
 * SQL: the devices of an organization that are not ok, by indexes that hold little else, and a few
 * that are: their rhythm is not learnt, or has not been looked at since they were heard. A device that
 * sends once a week is none of them.
 */
export const unusualDevices = (organization: string, now: string, window: string) => `(
    select devices.id, devices.register_status, states.last_seen, states.warnings,
      ${verdictAt(organization, now, window)} as verdict
    from devices
    join device_states as states on states.organization_id = ${organization}
      and states.device_id = devices.id
    ${ofRhythms}
    where devices.organization_id = ${organization} and devices.deleted_at is null
      and devices.id in (
        select unheard.device_id from device_states as unheard
        where unheard.organization_id = ${organization} and unheard.seen_period < 0
        union
        select unlearnt.device_id from device_states as unlearnt
        where unlearnt.organization_id = ${organization} and unlearnt.seen_period >= 0
          and not unlearnt.has_rhythm
        union
        select due.device_id from device_rhythms as due
        where due.organization_id = ${organization} and due.due_at < ${now}::timestamptz
        union
        select warned.device_id from device_states as warned
        where warned.organization_id = ${organization} and warned.warnings > 0
        union
        ${alertedDevices(organization)}
        union
        select refused.id from devices as refused
        where refused.organization_id = ${organization} and refused.deleted_at is null
          and refused.register_status <> 'active' and refused.register_status = 'register_error'
        union
        select unused.id from devices as unused
        where unused.organization_id = ${organization} and unused.deleted_at is null
          and not unused.is_active
      )
  )`

/** How many devices have each verdict. */
export type VerdictCounts = Record<VerdictState | 'heard', number>

/** SQL: the members of `VerdictCounts`, of `unusual` devices among so many. */
export const verdictCounts = (devices: string) => `${devices} - ${countOf("<> 'ok'")} as ok,
    ${devices} - ${countOf("in ('new', 'silent', 'inactive')")} as heard,
    ${verdictStates
      .filter((state) => state !== 'ok')
      .map((state) => `${countOf(`= '${state}'`)} as ${state}`)
      .join(', ')}`

function countOf(condition: string): string {
  return `count(*) filter (where unusual.verdict ${condition})`
}
