import { Text } from '@mantine/core'
import { AlertActions } from '../../../alerts/alert-actions.tsx'
import { AlertSubject } from '../../../alerts/alert-subject.tsx'
import { alertState, factsOf } from '../../../alerts/alert-words.ts'
import { StateBand } from '../../../charts/state-band.tsx'
import { Condition } from '../../../condition/condition.tsx'
import { t } from '../../../languages/text.ts'
import { formatValue, useFormats } from '../../../ui/formats.ts'
import { Link } from '../../../ui/link.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { Reading } from '../../../ui/reading.tsx'
import { State, type StateKind } from '../../../ui/state.tsx'
import { Clock, Time } from '../../../ui/time.tsx'
import { rangeOfData, type WidgetData } from '../dashboard.ts'
import { DeviceLink } from './device-link.tsx'
import { useShared, type ViewProps } from './view.ts'
import classes from './views.module.css'

/** Widgets about devices, whatever they measure. */

function Empty({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function More({ shown, data: { total = 0 } }: { shown: number; data: WidgetData }) {
  if (total <= shown) return null
  return (
    <p className={classes.facts}>
      {t('{shown} of {total}', { shown: formatCount(shown), total: formatCount(total) })}
    </p>
  )
}

/** What each device says. */
export function TableView({ data, title }: ViewProps) {
  const devices = data.devices ?? []
  if (devices.length === 0) return <Empty>{t('No devices')}</Empty>
  return (
    <>
      <table className={classes.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Device')}</th>
            <th scope="col">{t('Reading')}</th>
            <th scope="col">{t('Heard')}</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <tr key={device.device_id}>
              <th scope="row">
                <DeviceLink eui={device.device_id} name={device.device_name} />{' '}
                {device.verdict.state !== 'ok' && <Condition verdict={device.verdict} />}
              </th>
              <td>
                <Reading value={device.reading} />
              </td>
              <td className={classes.time}>
                <Time value={device.reading?.time ?? device.last_seen} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More shown={devices.length} data={data} />
    </>
  )
}

/** Silent devices, and those with little power. */
export function BatteryView({ data, title }: ViewProps) {
  useFormats()
  const devices = data.devices ?? []
  if (devices.length === 0) return <State kind="good">{t('All are heard and have power.')}</State>
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Device')}</th>
          <th scope="col">{t('State')}</th>
          <th scope="col">{t('Battery')}</th>
          <th scope="col">{t('Heard')}</th>
        </tr>
      </thead>
      <tbody>
        {devices.map((device) => (
          <tr key={device.device_id}>
            <th scope="row">
              <DeviceLink eui={device.device_id} name={device.device_name} />
            </th>
            <td>
              <Condition verdict={device.verdict} />
            </td>
            <td>{device.battery === null ? '–' : formatValue(device.battery, 'V')}</td>
            <td className={classes.time}>
              <Time value={device.last_seen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Open alerts, each with what can be done about it. */
export function AlertsView({ data }: ViewProps) {
  useFormats()
  const isShared = useShared() !== undefined
  const alerts = data.alerts ?? []
  if (alerts.length === 0) return <State kind="good">{t('No open alerts')}</State>
  return (
    <>
      <ul className={classes.alerts}>
        {alerts.map((alert) => {
          const [kind, word] = alertState(alert)
          return (
            <li key={alert.id}>
              <div>
                <State kind={kind}>{word}</State>{' '}
                {isShared ? nameOf(alert) : <AlertSubject alert={alert} />}
                <Text size="sm" component="div">
                  {factsOf(alert)}
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  <Clock value={alert.began_at} />
                </Text>
              </div>
              {!isShared && <AlertActions alert={alert} />}
            </li>
          )
        })}
      </ul>
      <More shown={alerts.length} data={data} />
    </>
  )
}

function nameOf({ device, gateway }: NonNullable<WidgetData['alerts']>[number]) {
  return (device ?? gateway)?.name
}

const countStates = [
  ['ok', 'OK', 'good'],
  ['attention', t('Needs attention'), 'warn'],
  ['silent', t('Silent'), 'warn'],
  ['new', t('New'), 'waiting'],
  ['inactive', t('Inactive'), 'off'],
] as const satisfies readonly (readonly [string, string, StateKind])[]

/** Devices by their state, each a link to them where the list has that filter. */
export function CountsView({ widget, data }: ViewProps) {
  useFormats()
  const isShared = useShared() !== undefined
  const { counts } = data
  if (!counts) return null
  const { group, device_type: type, tag, devices, variable, quantity } = widget.source ?? {}
  // A list of devices by name has no filter in the console's address.
  const hasList = !isShared && !devices && !variable && !quantity
  const shown = countStates.filter(
    ([state]) => counts[state] > 0 || state === 'ok' || state === 'silent',
  )
  return (
    <ul className={classes.counts}>
      <li>
        <span className={classes.count}>{formatCount(counts.total)}</span>
        <span className={classes.facts}>{t('Devices')}</span>
      </li>
      {shown.map(([state, word, kind]) => (
        <li key={state}>
          <span className={classes.count}>{formatCount(counts[state])}</span>
          {hasList && counts[state] > 0 ? (
            <Link to="/devices" search={{ verdict: state, group, type, tag }} size="sm">
              <State kind={kind}>{word}</State>
            </Link>
          ) : (
            <State kind={counts[state] > 0 ? kind : 'off'}>{word}</State>
          )}
        </li>
      ))}
      {counts.low_battery > 0 && (
        <li>
          <span className={classes.count}>{formatCount(counts.low_battery)}</span>
          <State kind="warn">{t('Low battery')}</State>
        </li>
      )}
    </ul>
  )
}

/** The states of several devices, one band below the other. */
export function StatesView({ data }: ViewProps) {
  const states = data.states ?? []
  if (states.length === 0) return <Empty>{t('No states in this time')}</Empty>
  const range = rangeOfData(data)
  return (
    <div className={classes.states}>
      {states.map((state) => (
        <StateBand
          key={`${state.device_id} ${state.name}`}
          state={{ ...state, label: `${state.device_name}: ${state.label}` }}
          range={range}
        />
      ))}
    </div>
  )
}
