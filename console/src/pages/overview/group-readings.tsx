import { Text } from '@mantine/core'
import { useApi } from '../../api/hooks.ts'
import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { groupNames } from '../../ui/group-names.ts'
import { Link } from '../../ui/link.tsx'
import { Reading } from '../../ui/reading.tsx'
import { Time } from '../../ui/time.tsx'
import classes from './overview.module.css'

/** Groups that are shown here; the page of groups has all. */
const mostGroups = 6
const mostDevices = 6
/** Milliseconds: the stream of events tells of changed devices, and not of each uplink. */
const interval = 60_000

/** What the devices of each group say now. Without groups, those of the fleet. */
export function GroupReadings() {
  const { data } = useApi('GET /fleet/groups', {})
  if (!data) return null
  const names = groupNames(data.data)
  const groups = data.data.filter(({ own }) => own.devices > 0)
  return (
    <section aria-labelledby="readings" className={classes.readings}>
      <h2 id="readings" className={classes.heading}>
        {t('Readings')}
      </h2>
      <div className={classes.cards}>
        {groups.length === 0 && <Readings />}
        {groups.slice(0, mostGroups).map(({ id, name }) => (
          <Readings key={id} group={{ id, name: names.get(id) ?? name }} />
        ))}
      </div>
      {groups.length > mostGroups && (
        <Link to="/groups" size="sm">
          {t('All {count, plural, one {# group} other {# groups}}', { count: groups.length })}
        </Link>
      )}
    </section>
  )
}

function Readings({ group }: { group?: { id: number; name: string } }) {
  const { data } = useApi(
    'GET /fleet/devices',
    { query: { group: group?.id, limit: mostDevices } },
    { refetchInterval: interval },
  )
  if (!data) return null
  return (
    <Card component="section" aria-label={group?.name ?? t('All devices')}>
      {group && (
        <h3 className={classes.subheading}>
          <Link to="/groups/$groupId" params={{ groupId: String(group.id) }} c="inherit" inherit>
            {group.name}
          </Link>
        </h3>
      )}
      <ul className={`${classes.list} ${classes.readingList}`}>
        {data.data.map((device) => (
          <li key={device.id} className={classes.reading}>
            <Link
              to="/devices/$eui"
              params={{ eui: device.device_id }}
              className={classes.entryName}
            >
              {device.device_name}
            </Link>
            {device.verdict.state === 'ok' ? (
              <span className={classes.age}>
                <Time value={device.reading?.time ?? device.last_seen} />
              </span>
            ) : (
              <Condition verdict={device.verdict} />
            )}
            <span className={classes.readingText}>
              <Reading value={device.reading} />
            </span>
          </li>
        ))}
      </ul>
      {data.total > data.data.length && (
        <Link to="/devices" search={{ group: group?.id }} size="sm">
          {t('All {total, plural, one {# device} other {# devices}}', { total: data.total })}
        </Link>
      )}
      {data.total === 0 && (
        <Text size="sm" c="dimmed">
          {t('No devices')}
        </Text>
      )}
    </Card>
  )
}
