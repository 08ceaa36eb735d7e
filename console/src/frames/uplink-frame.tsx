import { Alert, Text } from '@mantine/core'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { LoadingLines } from '../ui/page.tsx'
import { FrameBytes } from './frame-bytes.tsx'

interface UplinkFrameProps {
  /** The device that sent it. */
  eui: string
  uplinkId: number
}

/** The frame of a stored uplink, taken apart byte by byte. */
export function UplinkFrame({ eui, uplinkId }: UplinkFrameProps) {
  const { data, error, refetch } = useApi(
    'GET /devices/{device_id}/uplinks/{uplink_id}/frame',
    { path: { device_id: eui, uplink_id: String(uplinkId) } },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines count={3} />
  const { bytes, parts, format, error: fault } = data.data
  return (
    <>
      {fault !== null && (
        <Alert color="yellow" variant="outline" title={t('The frame could not be decoded')}>
          {fault}
        </Alert>
      )}
      <FrameBytes bytes={bytes} parts={parts} caption={t('Uplink, byte by byte')} />
      {format === 'ts013' && (
        <Text size="xs" c="dimmed">
          {t('A codec gives values, and does not say from which bytes.')}
        </Text>
      )}
    </>
  )
}
