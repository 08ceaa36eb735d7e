import { Link } from '../../../ui/link.tsx'
import { useShared } from './view.ts'
import classes from './views.module.css'

/** The name of a device, which leads to its page for those who have logged in. */
export function DeviceLink({ eui, name }: { eui: string; name: string }) {
  if (useShared()) {
    return (
      <span className={classes.name} title={name}>
        {name}
      </span>
    )
  }
  return (
    <Link to="/devices/$eui" params={{ eui }} className={classes.name} title={name}>
      {name}
    </Link>
  )
}
