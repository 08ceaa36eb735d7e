import { Condition } from '../../condition/condition.tsx'
import { Reading } from '../../ui/reading.tsx'
import type { CellContext } from '../../ui/virtual-table/columns.ts'
import { LastSeen, nameCell } from './device-columns.tsx'
import classes from './devices.module.css'
import type { FleetDevice } from './use-device-list.ts'

/** A device in two lines, on a phone. */
export function deviceCard(device: FleetDevice, context: CellContext) {
  const { reading, battery } = device
  const facts = [battery === null ? '' : `${battery.toFixed(1)} V`, device.device_type.name]
  return (
    <>
      <span className={classes.cardLine}>
        {nameCell(device, context)}
        <span className={classes.quiet}>
          <LastSeen value={device.last_seen} />
        </span>
      </span>
      <span className={classes.cardLine}>
        <span className={classes.cardFacts}>
          {reading && <Reading value={reading} />}
          <span className={`${classes.text} ${classes.quiet}`}>
            {facts.filter(Boolean).join(' · ')}
          </span>
        </span>
        <Condition verdict={device.verdict} />
      </span>
    </>
  )
}
