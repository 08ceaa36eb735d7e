import { t } from '../../../languages/text.ts'
import { Photos } from '../../../photos/photos.tsx'
import { Card } from '../../../ui/card.tsx'
import type { DeviceRecord } from '../use-device.ts'

/** What the place, the meter or the way there looks like. */
export function PhotosCard({ device }: { device: DeviceRecord }) {
  return (
    <Card title={t('Photos')}>
      <Photos device={device.device_id} />
    </Card>
  )
}
