import { Link } from '../ui/link.tsx'
import type { Alert } from './alert-words.ts'

/** The device or the gateway that an alert is about. */
export function AlertSubject({ alert: { device, gateway } }: { alert: Alert }) {
  if (device) {
    return (
      <Link to="/devices/$eui" params={{ eui: device.eui }} size="sm">
        {device.name || device.eui}
      </Link>
    )
  }
  return (
    <Link to="/gateways/$gatewayId" params={{ gatewayId: String(gateway?.id ?? '') }} size="sm">
      {gateway?.name || gateway?.eui}
    </Link>
  )
}
