import { Condition } from '../../condition/condition.tsx'
import type { CellContext } from '../../ui/virtual-table/columns.ts'
import { LastSeen, nameCell } from './device-columns.tsx'
import classes from './devices.module.css'
import type { FleetDevice } from './use-device-list.ts'

/** A device in two lines, on a phone. */
export function deviceCard(device: FleetDevice, context: CellContext) {
  const { sensor_state: state, battery } = device
  const facts = [
    device.device_type.name,
    state,
    battery === null ? null : `${battery.toFixed(1)} V`,
  ]
  return (
    <>
      <span className={classes.cardLine}>
        {nameCell(device, context)}
        <span className={classes.quiet}>
          <LastSeen value={device.last_seen} />
        </span>
      </span>
      <span className={classes.cardLine}>
        <span className={`${classes.text} ${classes.quiet}`}>
          {facts.filter((fact) => fact !== null).join(' · ')}
        </span>
        <Condition verdict={device.verdict} />
      </span>
    </>
  )
}
