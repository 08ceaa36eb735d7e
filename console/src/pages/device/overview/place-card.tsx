import { Button, Modal, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { conditionOf } from '../../../condition/conditions.ts'
import { t } from '../../../languages/text.ts'
import type { MapPoint } from '../../../map/map-points.ts'
import { MapView } from '../../../map/map-view.tsx'
import { wordsOfPlace } from '../../../map/place.ts'
import { PlaceForm } from '../../../map/place-form.tsx'
import { useMay } from '../../../session/session.ts'
import { Card } from '../../../ui/card.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { type DeviceRecord, useDeviceChange } from '../use-device.ts'

/** Where the device is, on a small map, and how to say so. */
export function PlaceCard({ device }: { device: DeviceRecord }) {
  const [isEditing, setEditing] = useState(false)
  const may = useMay('manage_devices')
  const { latitude, longitude, device_name: name } = device
  const { kind, word: detail } = conditionOf(device.verdict)
  const points = useMemo<MapPoint[]>(() => {
    if (latitude === null || longitude === null) return []
    return [{ id: 'device', lat: latitude, lng: longitude, name, kind, detail }]
  }, [latitude, longitude, name, kind, detail])
  const words = wordsOfPlace(device)
  return (
    <Card
      title={t('Place')}
      actions={
        may && (
          <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
            {words === undefined ? t('Set its place') : t('Change its place')}
          </Button>
        )
      }
    >
      {points.length > 0 && <MapView label={name} points={points} hasNoList isSmall />}
      <Text size="sm" c="dimmed">
        {words ?? t('Where it is is not known.')}
      </Text>
      {isEditing && <PlaceDialog device={device} onClose={() => setEditing(false)} />}
    </Card>
  )
}

function PlaceDialog({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const change = useDeviceChange(device.device_id)
  const { kind, word: detail } = conditionOf(device.verdict)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('Place of {devicename}', { devicename: device.device_name })}
    >
      <PlaceForm
        name={device.device_name}
        place={device}
        look={{ kind, detail }}
        needs="manage_devices"
        other={t('the device itself or its network')}
        onSave={async (place) => {
          await change.mutateAsync({ body: place, shown: {} })
          tellSuccess(t('Place saved.'))
          onClose()
        }}
      />
    </Modal>
  )
}
