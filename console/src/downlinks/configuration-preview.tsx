import { Alert, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Answer, type ApiError, call } from '../api/client.ts'
import { FrameBytes } from '../frames/frame-bytes.tsx'
import { t } from '../languages/text.ts'
import { useMay } from '../session/session.ts'
import type { ConfigField } from './configuration.ts'

const operation = 'POST /devices/{device_id}/configure/preview'
type Preview = UseQueryResult<Answer<typeof operation>, ApiError>

/** The bytes of what is entered, asked for a moment after the last key. */
export function usePreview(device: string | undefined, configuration: ConfigField): Preview {
  const [asked] = useDebouncedValue(JSON.stringify(configuration), 250)
  const may = useMay('manage_devices')
  return useQuery({
    queryKey: [operation, device, asked],
    queryFn: ({ signal }) =>
      call(
        operation,
        { path: { device_id: device ?? '' }, body: { config_field: JSON.parse(asked) } },
        { signal },
      ),
    enabled: device !== undefined && may,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** The encoded message, taken apart. Nothing is sent yet. */
export function ConfigurationPreview({ preview }: { preview: Preview }) {
  const { data, error } = preview
  return (
    <Stack gap="xs" component="section" aria-label={t('Bytes before sending')}>
      <Title order={3} size="h5">
        {t('What will be sent')}
      </Title>
      {error && error.status !== 0 ? (
        <Text size="sm" c="dimmed">
          {Object.values(error.errors)[0]?.[0] ?? error.message}
        </Text>
      ) : (
        data && (
          <>
            {data.data.warnings.map((warning) => (
              <Alert key={warning} color="yellow" variant="outline" title={t('The codec warns')}>
                {warning}
              </Alert>
            ))}
            <Text size="sm" c="dimmed">
              {t('To port {fport}. Nothing is sent yet.', { fport: data.data.f_port })}
            </Text>
            <FrameBytes
              bytes={data.data.bytes}
              parts={data.data.parts}
              caption={t('Message, byte by byte')}
            />
          </>
        )
      )}
    </Stack>
  )
}
