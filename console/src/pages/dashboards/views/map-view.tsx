import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { conditionOf } from '../../../condition/conditions.ts'
import { t } from '../../../languages/text.ts'
import { MapView } from '../../../map/map-view.tsx'
import { readingText } from '../../../ui/formats.ts'
import { Link } from '../../../ui/link.tsx'
import { DeviceLink } from './device-link.tsx'
import { useShared, type ViewProps } from './view.ts'
import classes from './views.module.css'

/** The devices that have a place. A click opens their page. */
export default function DevicesMap({ data, title }: ViewProps) {
  const navigate = useNavigate()
  const isShared = useShared() !== undefined
  const points = (data.devices ?? []).flatMap((device) => {
    const { latitude: lat, longitude: lng, device_name: name, reading, verdict } = device
    if (lat === null || lng === null) return []
    const { kind, word } = conditionOf(verdict)
    const detail = verdict.state === 'ok' && reading ? readingText(reading) : word
    return [{ id: device.device_id, lat, lng, name, detail, kind }]
  })
  if (points.length === 0) {
    return (
      <>
        <Text size="sm" c="dimmed">
          {t('No device has a place yet.')}
        </Text>
        {!isShared && (
          <Link to="/devices" size="sm">
            {t('Set places of devices')}
          </Link>
        )}
      </>
    )
  }
  return (
    <div className={classes.map}>
      <MapView
        label={title}
        points={points}
        hasNoList
        {...(!isShared && {
          onSelect: (eui: string) => void navigate({ to: '/devices/$eui', params: { eui } }),
        })}
      />
      <ul className="visually-hidden">
        {points.map(({ id, name, detail }) => (
          <li key={id}>
            <DeviceLink eui={id} name={`${name}: ${detail}`} />
          </li>
        ))}
      </ul>
    </div>
  )
}
